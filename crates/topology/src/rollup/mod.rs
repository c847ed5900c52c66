//! Large views made readable: nodes that belong together become one with a count.
//!
//! The rule: only detail is lost. Every node is counted in exactly one node of the result, every
//! link between two of them in exactly one link, and coarser steps are taken only as needed.

mod contract;
mod rolled;
mod steps;

pub use self::rolled::{Limits, RolledUp};
use crate::view::View;

/// The number of nodes that a format must be able to show for each neighborhood. Neighborhoods are
/// connected to each other in every direction, so fewer of them can be told apart than of anything
/// else.
const NODES_PER_CENTER: usize = 10;

/// The reciprocal of the least share of the node limit that a step must leave. A step that leaves
/// less tells nothing and is skipped.
const LEAST_SHARE: usize = 30;

/// Rolls a view up until it is within limits: isolated nodes first, then the hosts of a switch,
/// areas, names that begin alike, parallel links, and finally neighborhoods.
pub fn roll_up(view: &View, limits: Limits) -> RolledUp {
    let mut rolled = RolledUp::whole(view);
    let steps: [steps::Step; 5] =
        [steps::alone, steps::leaves, steps::into_switches, steps::areas, steps::names];
    for step in steps {
        if rolled.fits(limits) {
            return rolled;
        }
        let next = contract::contract(&rolled, &step(&rolled), false);
        if next.view.nodes.len() * LEAST_SHARE >= limits.nodes {
            rolled = next;
        }
    }
    if rolled.view.links.len() > limits.links {
        rolled = contract::contract(&rolled, &steps::none(&rolled), true);
    }
    let mut most = (limits.nodes / NODES_PER_CENTER).max(2);
    while !rolled.fits(limits) && rolled.view.nodes.len() > 1 {
        most = most.min(rolled.view.nodes.len());
        rolled = contract::contract(&rolled, &steps::neighborhoods(&rolled, most), true);
        most /= 2;
    }
    rolled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;

    fn limits(nodes: usize, links: usize) -> Limits {
        Limits { nodes, links }
    }

    #[test]
    fn a_small_view_stays_as_it_is() {
        let view = samples::spine_leaf(2, 4, 2);
        let rolled = roll_up(&view, limits(400, 4_000));
        assert!(!rolled.is_rolled_up());
        assert_eq!(rolled.view.nodes.len(), view.nodes.len());
    }

    #[test]
    fn every_node_is_counted_once() {
        for view in [samples::campus(3, 12, 30), samples::backbone(900), samples::nasty()] {
            for most in [300, 40, 5, 1] {
                let rolled = roll_up(&view, limits(most, 4_000));
                assert!(rolled.view.nodes.len() <= most.max(1), "{most}");
                assert_eq!(rolled.node_counts.iter().sum::<usize>(), view.nodes.len());
                for (node, &count) in rolled.node_counts.iter().enumerate() {
                    let members = rolled.members_of.iter().filter(|&&of| of == node).count();
                    assert_eq!(members, count);
                }
            }
        }
    }

    #[test]
    fn every_link_between_two_nodes_of_the_result_is_counted_once() {
        let view = samples::backbone(600);
        let rolled = roll_up(&view, limits(60, 4_000));
        let between = view.links.iter().filter(|link| {
            rolled.members_of[link.ends[0].node] != rolled.members_of[link.ends[1].node]
        });
        assert_eq!(rolled.link_counts.iter().sum::<usize>(), between.count());
    }

    #[test]
    fn the_hosts_of_a_switch_are_rolled_up_first() {
        let view = samples::spine_leaf(2, 4, 20);
        let rolled = roll_up(&view, limits(20, 4_000));
        let labels: Vec<&str> = rolled.view.nodes.iter().map(|node| node.label.as_str()).collect();
        assert_eq!(labels.iter().filter(|label| **label == "19 hosts").count(), 4, "{labels:?}");
        assert_eq!(rolled.view.nodes.len(), 14);
    }

    #[test]
    fn links_are_kept_within_their_limit() {
        let view = samples::spine_leaf(20, 40, 1);
        let rolled = roll_up(&view, limits(200, 500));
        assert!(rolled.view.links.len() <= 500);
    }

    #[test]
    fn the_order_of_the_view_changes_nothing() {
        let view = samples::backbone(500);
        let ids = |view: &View| -> Vec<(String, usize)> {
            let rolled = roll_up(view, limits(50, 4_000));
            let mut ids: Vec<(String, usize)> =
                rolled.view.nodes.into_iter().map(|node| node.id).zip(rolled.node_counts).collect();
            ids.sort();
            ids
        };
        assert_eq!(ids(&view), ids(&samples::reversed(&view)));
    }
}
