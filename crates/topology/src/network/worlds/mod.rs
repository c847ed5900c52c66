//! Worlds of cables whose truth is known: aggregates, units, subinterfaces, bridges and tables, held
//! against what is made of everything that their ports hear.

mod generator;
mod reader;

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;

use self::generator::{Socket, World, world};
use super::links::{End, Link, NONE};

/// Returns whether an end may be a socket: it is the socket, its aggregate, the bridge that has
/// its MAC address, or unknown.
fn fits(end: End, socket: Socket) -> bool {
    let ports = [Some(socket.port), socket.aggregate, socket.bridge];
    end.host as usize == socket.host
        && (end.port == NONE || ports.contains(&Some(end.port as usize)))
}

fn fit(link: &Link, [one, other]: [Socket; 2]) -> bool {
    let [a, b] = link.ends;
    (fits(a, one) && fits(b, other)) || (fits(a, other) && fits(b, one))
}

/// Returns whether a link joins the two devices of a cable.
fn joins(link: &Link, cable: [Socket; 2]) -> bool {
    let hosts = cable.map(|socket| socket.host);
    let [a, b] = link.ends.map(|end| end.host as usize);
    [a, b] == hosts || [b, a] == hosts
}

/// Returns the number of cables for which a different link can be found, the most that there are.
fn matched(cables: &[[Socket; 2]], links: &[&Link]) -> usize {
    fn place(
        cable: usize,
        fitting: &[Vec<usize>],
        seen: &mut HashSet<usize>,
        of_link: &mut BTreeMap<usize, usize>,
    ) -> bool {
        fitting[cable].iter().any(|link| {
            seen.insert(*link)
                && of_link
                    .get(link)
                    .copied()
                    .is_none_or(|other| place(other, fitting, seen, of_link))
                && {
                    of_link.insert(*link, cable);
                    true
                }
        })
    }
    let fitting: Vec<Vec<usize>> = (cables.iter())
        .map(|cable| {
            let may_be = |link: &usize| {
                let link = links[*link];
                fit(link, *cable) || (!cable[0].is_certain && joins(link, *cable))
            };
            (0..links.len()).filter(may_be).collect()
        })
        .collect();
    let mut of_link = BTreeMap::new();
    (0..cables.len())
        .filter(|cable| place(*cable, &fitting, &mut HashSet::new(), &mut of_link))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_cable_is_lost_and_none_is_made_up(cables in world()) {
        let world = World::of(&cables);
        let (links, ports) = world.links();
        let known = world.known();
        let told: Vec<String> = links
            .iter()
            .map(|link| {
                let end = |end: End| match ports.get(end.port as usize) {
                    Some(port) => format!("h{}:{}", end.host, port.name),
                    None => format!("h{}", end.host),
                };
                let [a, b] = link.ends.map(end);
                format!("{a} -- {b} {:?} proven {}", link.method, link.is_proven)
            })
            .collect();
        for (link, told) in links.iter().zip(&told) {
            // Two ports that hear each other's device, each once and without a port, are taken for the
            // ends of one cable.
            let is_true = known.iter().any(|cable| {
                fit(link, *cable) || (!cable[0].is_certain && joins(link, *cable))
            });
            prop_assert!(is_true, "a phantom: {told}\n{told:#?}");
        }
        let proven: Vec<&Link> = links.iter().filter(|link| link.is_proven).collect();
        let found = matched(&known, &proven);
        prop_assert_eq!(found, proven.len(), "more links than cables: {:#?}", told);
        // What only bridges hear, or without a port, may be a cable that others speak of, too.
        let single = known.iter().filter(|cable| {
            let fits = |link: &&Link| fit(link, **cable);
            if cable[0].is_certain {
                !proven.iter().any(fits)
            } else {
                !proven.iter().any(|link| joins(link, **cable))
            }
        });
        prop_assert_eq!(single.count(), 0, "lost: {:#?}", told);
    }
}
