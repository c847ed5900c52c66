//! Properties of every layout: nothing overlaps, and the same view gives the same picture.

use std::time::Instant;

use super::*;
use crate::view::samples;

fn overlap(a: &Rectangle, b: &Rectangle) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.bottom() && b.y < a.bottom()
}

fn all() -> Vec<View> {
    vec![
        samples::small(),
        samples::nasty(),
        samples::spine_leaf(4, 12, 20),
        samples::campus(3, 5, 8),
        samples::campus(7, 27, 19),
        samples::backbone(700),
        samples::services(60),
    ]
}

#[test]
fn no_box_overlaps_another() {
    for view in all() {
        let mut boxes = layout(&view).boxes;
        boxes.sort_by_key(|bounds| bounds.x);
        for (first, a) in boxes.iter().enumerate() {
            let beside = boxes[first + 1..].iter().take_while(|b| b.x < a.x + a.width);
            for b in beside {
                assert!(!overlap(a, b), "{}: {a:?} {b:?}", view.network);
            }
        }
    }
}

#[test]
fn everything_is_within_the_picture() {
    for view in all() {
        let layout = layout(&view);
        let is_within =
            |x: i64, y: i64| (0..=layout.width).contains(&x) && (0..=layout.height).contains(&y);
        for bounds in &layout.boxes {
            assert!(is_within(bounds.x, bounds.y));
            assert!(is_within(bounds.x + bounds.width, bounds.bottom()));
        }
        for point in layout.routes.iter().flat_map(|route| &route.points) {
            assert!(is_within(point.x, point.y), "{} {point:?}", view.network);
        }
    }
}

#[test]
fn every_line_ends_at_the_boxes_of_its_link() {
    for view in all() {
        let layout = layout(&view);
        for (link, route) in view.links.iter().zip(&layout.routes) {
            let tips = [route.points[0], *route.points.last().unwrap()];
            for (tip, end) in tips.iter().zip(&link.ends) {
                let bounds = &layout.boxes[end.node];
                assert!((bounds.x..=bounds.x + bounds.width).contains(&tip.x), "{}", view.network);
                assert!((bounds.y..=bounds.bottom()).contains(&tip.y), "{}", view.network);
            }
        }
    }
}

#[test]
fn parallel_links_stay_apart() {
    let view = samples::small();
    let layout = layout(&view);
    assert_ne!(layout.routes[0].points[0], layout.routes[1].points[0]);
    assert_ne!(layout.routes[0].points.last(), layout.routes[1].points.last());
}

#[test]
fn spines_are_above_leaves_and_leaves_above_servers() {
    let view = samples::spine_leaf(4, 4, 3);
    let layout = layout(&view);
    let row = |beginning: &str| -> Vec<i64> {
        let nodes = view.nodes.iter().zip(&layout.boxes);
        nodes.filter(|(node, _)| node.label.starts_with(beginning)).map(|(_, at)| at.y).collect()
    };
    let spines = row("spine");
    assert!(spines.iter().all(|y| *y == spines[0]));
    assert!(spines[0] < row("leaf")[0]);
    assert!(row("leaf")[0] < *row("srv").iter().min().unwrap());
}

#[test]
fn dependencies_lead_down_save_where_they_close_a_cycle() {
    let view = samples::services(40);
    let layout = layout(&view);
    let leads_up = view
        .links
        .iter()
        .filter(|link| layout.boxes[link.ends[0].node].y >= layout.boxes[link.ends[1].node].y);
    assert_eq!(leads_up.count(), 1);
}

#[test]
fn the_members_of_a_group_are_in_its_frame_and_nobody_else() {
    let view = samples::spine_leaf(2, 6, 20);
    let layout = layout(&view);
    assert_eq!(layout.groups.len(), 6);
    for group in &layout.groups {
        for (node, bounds) in layout.boxes.iter().enumerate() {
            assert_eq!(overlap(bounds, &group.bounds), group.members.contains(&node));
        }
    }
}

/// Returns whether a vertical piece of a line runs through the inside of a box.
fn runs_through(piece: &[Point], bounds: &Rectangle) -> bool {
    let (top, bottom) = (piece[0].y.min(piece[1].y), piece[0].y.max(piece[1].y));
    piece[0].x == piece[1].x
        && (bounds.x + 1..bounds.x + bounds.width).contains(&piece[0].x)
        && top < bounds.bottom()
        && bounds.y < bottom
}

#[test]
fn no_upright_piece_of_a_line_runs_through_a_box() {
    for view in all() {
        let layout = layout(&view);
        let mut boxes = layout.boxes.clone();
        boxes.sort_by_key(|bounds| bounds.x);
        let widest = boxes.iter().map(|bounds| bounds.width).max().unwrap();
        for piece in layout.routes.iter().flat_map(|route| route.points.windows(2)) {
            let first = boxes.partition_point(|bounds| bounds.x < piece[0].x - widest);
            let near = boxes[first..].iter().take_while(|bounds| bounds.x <= piece[0].x);
            for bounds in near {
                assert!(!runs_through(piece, bounds), "{}: {piece:?} {bounds:?}", view.network);
            }
        }
    }
}

#[test]
fn a_level_that_would_be_too_wide_is_folded() {
    let view = samples::campus(7, 27, 19);
    let layout = layout(&view);
    let rows: std::collections::BTreeSet<i64> = (view.nodes.iter().zip(&layout.boxes))
        .filter(|(node, _)| node.label.starts_with("acc-"))
        .map(|(_, bounds)| bounds.y)
        .collect();
    assert!(rows.len() > 1);
    assert!(layout.width < layout.height * 12, "{} × {}", layout.width, layout.height);
}

#[test]
fn four_times_the_network_takes_less_than_sixteen_times_as_long() {
    let time = |size| {
        let view = samples::backbone(size);
        let once = || {
            let start = Instant::now();
            assert_eq!(layout(&view).boxes.len(), size);
            start.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap()
    };
    assert!(time(4_000) < time(1_000) * 16);
}
