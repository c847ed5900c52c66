//! The connected components of a network.
//!
//! Components are numbered in the order of their smallest nodes, and list their nodes ascending.

use super::{Graph, Without};

const LEFT_OUT: u32 = u32::MAX;

/// The nodes of a graph, grouped by component.
#[derive(Clone, Debug)]
pub struct Components {
    numbers: Vec<u32>,
    /// The start index of each component's members, then the end index of the last one's.
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl Components {
    /// Returns the number of a node's component, or `None` if the node was left out.
    pub fn of(&self, node: u32) -> Option<u32> {
        Some(self.numbers[node as usize]).filter(|number| *number != LEFT_OUT)
    }

    /// Returns whether two nodes are connected.
    pub fn are_connected(&self, one: u32, other: u32) -> bool {
        self.of(one).is_some_and(|number| self.of(other) == Some(number))
    }

    /// Returns the nodes of a component, ascending.
    pub fn members(&self, number: u32) -> &[u32] {
        &self.members[self.starts[number as usize]..self.starts[number as usize + 1]]
    }

    /// Returns the number of components.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the nodes of each component, in order of its number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        self.starts.windows(2).map(|ends| &self.members[ends[0]..ends[1]])
    }

    fn new(numbers: Vec<u32>, count: u32) -> Self {
        let mut starts = vec![0; count as usize + 1];
        for number in numbers.iter().filter(|number| **number != LEFT_OUT) {
            starts[*number as usize + 1] += 1;
        }
        for number in 0..count as usize {
            starts[number + 1] += starts[number];
        }
        let (mut free, mut members) = (starts.clone(), vec![0; starts[count as usize]]);
        for (node, number) in (0u32..).zip(&numbers).filter(|(_, number)| **number != LEFT_OUT) {
            let place = &mut free[*number as usize];
            members[*place] = node;
            *place += 1;
        }
        Self { numbers, starts, members }
    }
}

impl Graph {
    /// Finds the connected components, in linear time.
    pub fn components(&self) -> Components {
        self.components_without(&Without::default())
    }

    /// Finds the components that remain when some nodes and edges are absent; absent nodes are left
    /// out.
    pub fn components_without(&self, without: &Without) -> Components {
        let mut numbers = vec![LEFT_OUT; self.node_count() as usize];
        let (mut count, mut ahead) = (0, Vec::new());
        for first in self.nodes() {
            if numbers[first as usize] != LEFT_OUT || without.nodes.contains(first) {
                continue;
            }
            numbers[first as usize] = count;
            ahead.push(first);
            while let Some(node) = ahead.pop() {
                for &incidence in self.around(node) {
                    let number = &mut numbers[incidence.neighbor as usize];
                    if *number == LEFT_OUT && without.allows(incidence) {
                        *number = count;
                        ahead.push(incidence.neighbor);
                    }
                }
            }
            count += 1;
        }
        Components::new(numbers, count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::reference::{any_loss, groups, reaches};

    #[test]
    fn components_are_numbered_by_their_smallest_nodes() {
        let components = Graph::new(5, vec![[4, 0], [3, 1]]).components();
        assert_eq!(components.iter().collect::<Vec<_>>(), [&[0, 4][..], &[1, 3], &[2]]);
        assert_eq!((components.count(), components.of(3)), (3, Some(1)));
        assert_eq!(components.members(2), [2]);
        assert!(components.are_connected(0, 4) && !components.are_connected(0, 1));
    }

    #[test]
    fn what_is_left_out_is_connected_to_nothing() {
        let graph = Graph::new(3, vec![[0, 1], [1, 2]]);
        let components = graph.components_without(&Without::new([1], []));
        assert_eq!(components.iter().collect::<Vec<_>>(), [[0], [2]]);
        assert!(!components.are_connected(1, 1));
    }

    proptest! {
        #[test]
        fn components_are_what_reaches_one_another((graph, loss) in any_loss()) {
            let reach = reaches(&graph, &loss);
            let components = graph.components_without(&loss);
            prop_assert_eq!(components.iter().map(<[u32]>::to_vec).collect::<Vec<_>>(), groups(&reach));
            for one in graph.nodes() {
                for other in graph.nodes() {
                    let expected = reach[one as usize][other as usize];
                    prop_assert_eq!(components.are_connected(one, other), expected);
                }
            }
        }
    }
}
