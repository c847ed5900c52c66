//! Positions along a line, near to the wanted ones and without overlap.
//!
//! The rule: the order is kept, and the sum of the squared distances from the wanted positions is
//! minimal (isotonic regression by pooling adjacent violators).

/// Moves items of the given widths as near to their wanted middles as their order allows.
pub(crate) fn nearest_in_order(wanted: &[i64], widths: &[i64], gap: i64) -> Vec<i64> {
    let mut offsets = Vec::with_capacity(wanted.len());
    let mut offset = 0;
    for (nth, &width) in widths.iter().enumerate() {
        if nth > 0 {
            offset += (widths[nth - 1] + width + 1) / 2 + gap;
        }
        offsets.push(offset);
    }
    let mut pools: Vec<(i64, i64)> = Vec::with_capacity(wanted.len());
    for (&wanted, &offset) in wanted.iter().zip(&offsets) {
        let mut pool = (wanted - offset, 1);
        while let Some(&last) = pools.last() {
            if last.0 * pool.1 < pool.0 * last.1 {
                break;
            }
            pools.pop();
            pool = (last.0 + pool.0, last.1 + pool.1);
        }
        pools.push(pool);
    }
    let mut offsets = offsets.into_iter();
    let mut middles = Vec::with_capacity(wanted.len());
    for (sum, count) in pools {
        for _ in 0..count {
            middles.extend(offsets.next().map(|offset| sum.div_euclid(count) + offset));
        }
    }
    middles
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_has_room_stays_where_it_is_wanted() {
        assert_eq!(nearest_in_order(&[0, 100, 300], &[20, 20, 20], 10), [0, 100, 300]);
    }

    #[test]
    fn what_is_wanted_at_one_place_stands_around_it() {
        assert_eq!(nearest_in_order(&[50, 50, 50], &[20, 20, 20], 10), [20, 50, 80]);
    }

    proptest! {
        #[test]
        fn nothing_overlaps(things in prop::collection::vec((-900_i64..900, 1_i64..90), 0..40)) {
            let (wanted, widths): (Vec<i64>, Vec<i64>) = things.into_iter().unzip();
            let middles = nearest_in_order(&wanted, &widths, 5);
            prop_assert_eq!(middles.len(), wanted.len());
            for (pair, width) in middles.windows(2).zip(widths.windows(2)) {
                prop_assert!(2 * (pair[1] - pair[0]) >= width[0] + width[1] + 10 - 1);
            }
        }
    }
}
