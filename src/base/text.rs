//! Numbers and times as words, after `design/ui.md` 18: groups of three by a space, the unit after a
//! space, two decimals at most on lanes and three in Details, `–` for what is not available.
//! Everything is rounded half up in integers, so a border never shows `1000 µs` for `1 ms`.
//! Decides no colors and no places, and knows no trace.

/// What stands for a number that is not available.
pub const NOT_AVAILABLE: &str = "–";

const TIME_UNITS: [(u128, &str); 3] = [(1_000, "µs"), (1_000_000, "ms"), (1_000_000_000, "s")];
const BYTE_UNITS: [(u128, &str); 6] = [
    (1_000, "kB"),
    (1_000_000, "MB"),
    (1_000_000_000, "GB"),
    (1_000_000_000_000, "TB"),
    (1_000_000_000_000_000, "PB"),
    (1_000_000_000_000_000_000, "EB"),
];

/// `9 100`: groups of three by a space.
pub fn grouped(n: u64) -> String {
    grouped_wide(u128::from(n))
}

/// `3.28 ms`, `412 µs`, `21.4 µs`, `5 ns`: about three digits, for lanes and tooltips.
pub fn duration(ns: i64) -> String {
    let text = in_units(
        u128::from(ns.unsigned_abs()),
        "ns",
        &TIME_UNITS,
        |whole| match whole {
            0..10 => 2,
            10..100 => 1,
            _ => 0,
        },
    );
    with_sign(ns, text)
}

/// `3.276 ms`: three decimals, for Details; under a microsecond the nanoseconds themselves.
pub fn duration_exact(ns: i64) -> String {
    let n = u128::from(ns.unsigned_abs());
    let (unit, word) = fitting_unit(n, &TIME_UNITS, |_| 3);
    let text = match unit {
        1 => format!("{n} ns"),
        _ => format!("{} {word}", decimal(n, unit, 3, false)),
    };
    with_sign(ns, text)
}

/// `212.6 MB`, `1.94 GB`: decimal units.
pub fn bytes(n: u64) -> String {
    in_units(u128::from(n), "B", &BYTE_UNITS, byte_decimals)
}

/// `410 MB/s`; `–` for what is no rate (not a number, infinite, negative).
pub fn rate(bytes_per_s: f64) -> String {
    if !bytes_per_s.is_finite() || bytes_per_s < 0.0 {
        return NOT_AVAILABLE.to_owned();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "finite and not negative; a float cast saturates"
    )]
    let whole = bytes_per_s.round() as u64;
    format!("{}/s", bytes(whole))
}

/// `91.9` for a share of 0.919, and `<0.1` for less than can be said; the percent sign is the caller's.
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return NOT_AVAILABLE.to_owned();
    }
    let text = format!("{:.1}", share * 100.0);
    match text.as_str() {
        "0.0" if share > 0.0 => "<0.1".to_owned(),
        "-0.0" => "0.0".to_owned(),
        _ => text,
    }
}

/// `2026-11-21 09:14:07 UTC`, from nanoseconds since 1970. Part seconds are cut off.
pub fn utc(epoch_ns: i64) -> String {
    let seconds = epoch_ns.div_euclid(1_000_000_000);
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day_of_month) = civil_from_days(day);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!(
        "{year:04}-{month:02}-{day_of_month:02} {hour:02}:{minute:02}:{:02} UTC",
        second % 60
    )
}

/// `1 rank`, `9 100 spans`.
pub fn plural(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

fn byte_decimals(whole: u128) -> u32 {
    if whole < 10 { 2 } else { 1 }
}

fn with_sign(ns: i64, text: String) -> String {
    if ns < 0 { format!("-{text}") } else { text }
}

/// The text in the unit that fits, trailing zeros dropped; `decimals` sees the whole part.
fn in_units(n: u128, base: &str, units: &[(u128, &str)], decimals: fn(u128) -> u32) -> String {
    match fitting_unit(n, units, decimals) {
        (1, _) => format!("{n} {base}"),
        (unit, word) => format!("{} {word}", decimal(n, unit, decimals(n / unit), true)),
    }
}

/// The largest unit in which the *rounded* figure is at least one; `(1, "")` below the first unit.
fn fitting_unit<'a>(
    n: u128,
    units: &[(u128, &'a str)],
    decimals: fn(u128) -> u32,
) -> (u128, &'a str) {
    let mut best = (1, "");
    for &(unit, word) in units {
        let lower = best.0;
        let places = if lower == 1 { 0 } else { decimals(n / lower) };
        let (rounded, scale) = rounded(n, lower, places);
        if rounded < 1_000 * scale {
            break;
        }
        best = (unit, word);
    }
    best
}

/// `n / unit` in steps of `1 / scale`, half up.
fn rounded(n: u128, unit: u128, places: u32) -> (u128, u128) {
    let scale = 10_u128.pow(places);
    ((n * scale + unit / 2) / unit, scale)
}

fn decimal(n: u128, unit: u128, places: u32, short: bool) -> String {
    let (rounded, scale) = rounded(n, unit, places);
    let whole = grouped_wide(rounded / scale);
    if scale == 1 {
        return whole;
    }
    let width = places as usize;
    let text = format!("{whole}.{:0width$}", rounded % scale);
    if short {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn grouped_wide(n: u128) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Year, month and day of the proleptic Gregorian calendar. Years are counted from March, so that
/// the leap day is the last of its year; an era is 400 years of 146 097 days.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let from_march_0 = days + 719_468;
    let (era, day_of_era) = (
        from_march_0.div_euclid(146_097),
        from_march_0.rem_euclid(146_097),
    );
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted_by_a_space() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (9_100, "9 100"),
            (123_456, "123 456"),
        ];
        for (n, text) in cases {
            assert_eq!(grouped(n), text);
        }
        assert_eq!(grouped(u64::MAX), "18 446 744 073 709 551 615");
    }

    #[test]
    fn durations_on_lanes_have_about_three_digits() {
        let cases = [
            (0, "0 ns"),
            (5, "5 ns"),
            (999, "999 ns"),
            (1_000, "1 µs"),
            (21_400, "21.4 µs"),
            (412_345, "412 µs"),
            (999_499, "999 µs"),
            (999_600, "1 ms"),
            (3_276_000, "3.28 ms"),
            (9_996_000, "10 ms"),
            (99_960_000, "100 ms"),
            (1_250_000_000, "1.25 s"),
            (7_200_000_000_000, "7 200 s"),
            (-21_400, "-21.4 µs"),
            (i64::MIN, "-9 223 372 037 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(duration(ns), text, "{ns}");
        }
    }

    #[test]
    fn durations_in_details_have_three_decimals() {
        let cases = [
            (7, "7 ns"),
            (1_000, "1.000 µs"),
            (412_345, "412.345 µs"),
            (999_999, "999.999 µs"),
            (3_276_000, "3.276 ms"),
            (999_999_499, "999.999 ms"),
            (999_999_500, "1.000 s"),
            (-3_276_499, "-3.276 ms"),
            (i64::MIN, "-9 223 372 036.855 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(duration_exact(ns), text, "{ns}");
        }
    }

    #[test]
    fn sizes_and_rates_use_decimal_units() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1 kB"),
            (212_600_000, "212.6 MB"),
            (999_960_000, "1 GB"),
            (1_940_000_000, "1.94 GB"),
            (u64::MAX, "18.4 EB"),
        ];
        for (n, text) in cases {
            assert_eq!(bytes(n), text);
        }
        assert_eq!(rate(410e6), "410 MB/s");
        assert_eq!(rate(2.039e12), "2.04 TB/s");
        assert_eq!(rate(f64::NAN), "–");
        assert_eq!(rate(-1.0), "–");
        assert_eq!(rate(f64::INFINITY), "–");
        assert!(!rate(f64::MAX).is_empty());
    }

    #[test]
    fn a_share_is_shown_in_percent() {
        let cases = [(0.919, "91.9"), (0.0, "0.0"), (1.0, "100.0"), (-0.0, "0.0")];
        // A little is not nothing.
        let small = [(0.0006, "0.1"), (0.0004, "<0.1"), (1e-12, "<0.1")];
        for (share, text) in cases.into_iter().chain(small) {
            assert_eq!(percent(share), text);
        }
        assert_eq!(percent(f64::NAN), "–");
    }

    #[test]
    fn calendar_dates_are_right_at_the_borders_of_years() {
        let cases = [
            (0, "1970-01-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59:59 UTC"),
            (1_795_252_447, "2026-11-21 09:14:07 UTC"),
            (4_107_542_399, "2100-02-28 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ];
        for (seconds, text) in cases {
            assert_eq!(utc(seconds * 1_000_000_000), text);
        }
        assert_eq!(utc(i64::MIN), "1677-09-21 00:12:43 UTC");
        assert_eq!(utc(i64::MAX), "2262-04-11 23:47:16 UTC");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(plural(1, "rank", "ranks"), "1 rank");
        assert_eq!(plural(0, "rank", "ranks"), "0 ranks");
        assert_eq!(plural(9_100, "span", "spans"), "9 100 spans");
    }
}
