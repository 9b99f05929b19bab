//! Ticks of the ruler: 1-2-5 steps, at least [`APART`] points apart, one unit a view, counted from an
//! origin with a sign. The tick at the origin is `0`.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "decimals and tick numbers are small"
)]

use crate::base::text::grouped;
use crate::view::axis::Axis;

/// Points between ticks, at least.
const APART: f64 = 100.0;

/// One tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub x: f32,
    pub label: String,
    pub is_origin: bool,
}

/// The ticks in view, counted from `origin_ns`.
pub fn ticks(axis: &Axis, origin_ns: f64) -> Vec<Tick> {
    let step = step_ns(axis.ns_per_point() * APART);
    let (unit_ns, unit) = unit(axis.stretch.len_ns.max(step));
    let decimals = (unit_ns / step).log10().ceil().max(0.0) as usize;
    let first = ((axis.stretch.start_ns - origin_ns) / step).ceil();
    let count = (axis.stretch.len_ns / step).floor() as usize + 2;
    let mut ticks = Vec::with_capacity(count);
    for i in 0..count {
        let number = first + i as f64;
        let at = origin_ns + number * step;
        if at > axis.stretch.end_ns() {
            break;
        }
        let value = number * step / unit_ns;
        let label = if number == 0.0 {
            "0".to_owned()
        } else {
            format!("{} {unit}", signed(value, decimals))
        };
        ticks.push(Tick {
            x: axis.x_from_ns(at),
            label,
            is_origin: number == 0.0,
        });
    }
    ticks
}

/// `+1 250.5`: signed, groups of three by a space.
fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if value < 0.0 { '-' } else { '+' };
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    format!("{sign}{whole}{rest}")
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`, and at least 1 ns.
fn step_ns(least: f64) -> f64 {
    let least = least.max(1.0);
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * power);
    steps
        .into_iter()
        .find(|it| *it >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

fn unit(len_ns: f64) -> (f64, &'static str) {
    match len_ns {
        it if it >= 2e9 => (1e9, "s"),
        it if it >= 2e6 => (1e6, "ms"),
        it if it >= 2e3 => (1e3, "µs"),
        _ => (1.0, "ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::axis::Stretch;

    fn labels(start_ns: f64, len_ns: f64, origin_ns: f64) -> Vec<String> {
        let axis = Axis::new(Stretch { start_ns, len_ns }, 900.0);
        ticks(&axis, origin_ns)
            .into_iter()
            .map(|it| it.label)
            .collect()
    }

    #[test]
    fn ticks_count_from_the_origin_in_one_unit() {
        assert_eq!(
            labels(0.0, 9e6, 0.0).join(" "),
            "0 +1 ms +2 ms +3 ms +4 ms +5 ms +6 ms +7 ms +8 ms +9 ms"
        );
        assert_eq!(labels(0.0, 9e6, 4e6)[..2], ["-4 ms", "-3 ms"]);
        assert_eq!(
            labels(1e12, 5.0, 1e12).join(" "),
            "0 +1 ns +2 ns +3 ns +4 ns +5 ns"
        );
        assert_eq!(labels(0.0, 3e3, 0.0)[1], "+0.5 µs");
        assert_eq!(labels(-3e13, 9e13, 0.0)[..2], ["-30 000 s", "-20 000 s"]);
    }

    #[test]
    fn ticks_keep_their_distance_at_any_zoom() {
        for power in 0..60 {
            let axis = Axis::new(
                Stretch {
                    start_ns: 123.0,
                    len_ns: 1.5_f64.powi(power),
                },
                1234.0,
            );
            let ticks = ticks(&axis, 0.0);
            assert!(ticks.len() < 14);
            assert!(
                ticks.windows(2).all(|it| it[1].x - it[0].x >= 99.0),
                "{power}"
            );
        }
    }
}
