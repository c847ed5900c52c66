//! The order of the items on each level, chosen for few line crossings.
//!
//! The rule: the items of each level are sorted by the mean position of their neighbors, downwards
//! and upwards in turn, and the order with the fewest crossings of all those tried is kept.

use super::{level_graph::LevelGraph, measure::whole};

/// The number of sweeps that sort the levels, downwards and upwards in turn.
const SWEEPS: usize = 12;
/// The nominal width of a level, for comparing positions on levels of different lengths.
const SCALE: i64 = 1 << 20;

/// Orders the items of each level from left to right.
pub(crate) fn order(leveled: &LevelGraph) -> Vec<Vec<usize>> {
    let mut rows = first_order(leveled);
    let mut positions = vec![0; leveled.items.len()];
    for row in &rows {
        note_positions(row, &mut positions);
    }
    let mut best = rows.clone();
    let mut fewest = crossings(leveled, &rows, &positions);
    for sweep in 0..SWEEPS {
        let downwards = sweep % 2 == 0;
        for step in 0..rows.len() {
            let level = if downwards { step } else { rows.len() - 1 - step };
            sort_row(leveled, &mut rows[level], &mut positions, downwards);
        }
        let count = crossings(leveled, &rows, &positions);
        if count < fewest {
            fewest = count;
            best.clone_from(&rows);
        }
    }
    best
}

/// Orders the items depth-first: each is followed to everything below it before the next one.
fn first_order(leveled: &LevelGraph) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); leveled.depth()];
    let mut seen = vec![false; leveled.items.len()];
    let mut starts: Vec<usize> = (0..leveled.items.len()).collect();
    starts.sort_by_key(|&item| leveled.levels[item]);
    for start in starts {
        let mut stack = vec![start];
        while let Some(item) = stack.pop() {
            if std::mem::replace(&mut seen[item], true) {
                continue;
            }
            rows[leveled.levels[item]].push(item);
            let below = leveled.neighbors[item].iter().rev();
            stack.extend(below.filter(|&&next| leveled.levels[next] > leveled.levels[item]));
        }
    }
    rows
}

fn note_positions(row: &[usize], positions: &mut [i64]) {
    for (nth, &item) in row.iter().enumerate() {
        positions[item] = (2 * whole(nth) + 1) * SCALE / (2 * whole(row.len()));
    }
}

/// Sorts a level by the mean positions of the neighbors above or below, and of those beside.
fn sort_row(leveled: &LevelGraph, row: &mut [usize], positions: &mut [i64], downwards: bool) {
    let mut keyed: Vec<(i64, usize)> = row
        .iter()
        .map(|&item| {
            let level = leveled.levels[item];
            let counts = |&&other: &&usize| match leveled.levels[other] {
                other if other == level => true,
                other => (other < level) == downwards,
            };
            let (mut sum, mut count) = (0, 0);
            for other in leveled.neighbors[item].iter().filter(counts) {
                sum += positions[*other];
                count += 1;
            }
            (if count == 0 { positions[item] } else { sum / count }, item)
        })
        .collect();
    keyed.sort_by_key(|&(mean, item)| (mean, positions[item]));
    for (slot, (_, item)) in row.iter_mut().zip(keyed) {
        *slot = item;
    }
    note_positions(row, positions);
}

/// Counts the crossings between neighboring levels, and the items that lines within a level pass
/// over.
fn crossings(leveled: &LevelGraph, rows: &[Vec<usize>], positions: &[i64]) -> u64 {
    let mut ranks = vec![0; leveled.items.len()];
    for row in rows {
        for (rank, &item) in row.iter().enumerate() {
            ranks[item] = rank;
        }
    }
    let mut total = 0;
    for (level, row) in rows.iter().enumerate() {
        let below = rows.get(level + 1).map_or(0, Vec::len);
        let mut passed = vec![0_u64; below + 1];
        let mut inserted = 0;
        for &item in row {
            let mut targets: Vec<usize> = leveled.neighbors[item]
                .iter()
                .filter(|&&other| leveled.levels[other] == level + 1)
                .map(|&other| ranks[other])
                .collect();
            targets.sort_unstable();
            total += targets.iter().map(|&rank| inserted - sum_to(&passed, rank)).sum::<u64>();
            for &rank in &targets {
                add_at(&mut passed, rank);
                inserted += 1;
            }
            let beside = leveled.neighbors[item].iter().filter(|&&other| {
                leveled.levels[other] == level && positions[other] > positions[item]
            });
            total += beside.map(|&other| (ranks[other] - ranks[item] - 1) as u64).sum::<u64>();
        }
    }
    total
}

/// Adds one at a rank of a Fenwick tree.
fn add_at(tree: &mut [u64], rank: usize) {
    let mut slot = rank + 1;
    while slot < tree.len() {
        tree[slot] += 1;
        slot += slot & slot.wrapping_neg();
    }
}

/// Sums a Fenwick tree up to a rank, including it.
fn sum_to(tree: &[u64], rank: usize) -> u64 {
    let (mut slot, mut sum) = (rank + 1, 0);
    while slot > 0 {
        sum += tree[slot];
        slot -= slot & slot.wrapping_neg();
    }
    sum
}
