//! Boxes, points and lines of a picture, in whole pixels.

/// A rectangle, by its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rectangle {
    /// The left side.
    pub x: i64,
    /// The top side.
    pub y: i64,
    /// The distance from the left side to the right one.
    pub width: i64,
    /// The distance from the top side to the bottom one.
    pub height: i64,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The distance from the left.
    pub x: i64,
    /// The distance from the top.
    pub y: i64,
}

/// The line of a link, from its first end to its second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Its corners; the first and the last lie on the sides of the boxes.
    pub points: Vec<Point>,
    /// The position of the port name at each end.
    pub port_labels: [Anchor; 2],
    /// The middle of the baseline of the link's own label.
    pub label_at: Point,
}

/// The position of a port name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// The start or the end of the text's baseline.
    pub at: Point,
    /// Whether the text ends at the point rather than starts there.
    pub ends_there: bool,
    /// Whether the text is rotated to read from the bottom to the top.
    pub upright: bool,
    /// The length that the text may take, in pixels.
    pub room: i64,
}

/// The nodes that have only one neighbor, listed below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The neighbor, by its index in the view.
    pub owner: usize,
    /// The nodes, by their indexes in the view.
    pub members: Vec<usize>,
    /// The box around their list, which nothing else overlaps.
    pub bounds: Rectangle,
}

/// A connected part, laid out by itself, with the indexes of its graph.
pub(crate) struct Sheet {
    pub width: i64,
    pub height: i64,
    pub boxes: Vec<Rectangle>,
    pub routes: Vec<Route>,
    pub groups: Vec<Group>,
}

impl Rectangle {
    /// Returns the middle between the left side and the right one.
    pub const fn middle(&self) -> i64 {
        self.x + self.width / 2
    }

    /// Returns the bottom side.
    pub const fn bottom(&self) -> i64 {
        self.y + self.height
    }

    pub(crate) const fn moved(self, by: Point) -> Self {
        Self { x: self.x + by.x, y: self.y + by.y, ..self }
    }
}

impl Point {
    pub(crate) const fn moved(self, by: Self) -> Self {
        Self { x: self.x + by.x, y: self.y + by.y }
    }
}
