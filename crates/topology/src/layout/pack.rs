//! Connected parts packed side by side on one sheet.
//!
//! The rule: the largest comes first, parts stand in rows, and none overlaps another.

use super::{geometry::Point, measure::whole};

/// The space between parts and around the sheet, in pixels.
const SPACE: i64 = 28;

/// The positions of parts on a sheet.
pub(crate) struct Packing {
    /// The width of the sheet.
    pub width: i64,
    /// The height of the sheet.
    pub height: i64,
    /// The top left corner of each part.
    pub corners: Vec<Point>,
}

/// Packs parts of the given widths and heights into rows.
pub(crate) fn pack(sizes: &[(i64, i64)]) -> Packing {
    let area: i64 = sizes.iter().map(|(width, height)| (width + SPACE) * (height + SPACE)).sum();
    let widest = sizes.iter().map(|size| size.0).max().unwrap_or(0);
    let row_width = widest.max((area * 16 / 9).isqrt());
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&part| {
        let (width, height) = sizes[part];
        std::cmp::Reverse((height, width, whole(sizes.len()) - whole(part)))
    });
    let mut packing =
        Packing { width: 0, height: SPACE, corners: vec![Point::default(); sizes.len()] };
    let (mut x, mut row_height) = (SPACE, 0);
    for part in order {
        let (width, height) = sizes[part];
        if x > SPACE && x + width > row_width + SPACE {
            packing.height += row_height + SPACE;
            (x, row_height) = (SPACE, 0);
        }
        packing.corners[part] = Point { x, y: packing.height };
        x += width + SPACE;
        packing.width = packing.width.max(x);
        row_height = row_height.max(height);
    }
    packing.height += row_height + if sizes.is_empty() { 0 } else { SPACE };
    packing.width = packing.width.max(2 * SPACE);
    packing
}
