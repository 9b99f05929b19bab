//! Decimal text to integers: times in exact nanoseconds, ids in 64 bits.

/// Microseconds as decimal text to nanoseconds, never through a double unless there is an exponent.
/// More than three decimals are rounded half away from zero. `None`: no number, or beyond 64 bits.
#[inline]
pub(super) fn nanoseconds(text: &[u8]) -> Option<Nanoseconds> {
    usual(text).or_else(|| any_nanoseconds(text))
}

/// Up to 16 digits with no sign, and three decimals if any.
#[inline]
fn usual(text: &[u8]) -> Option<Nanoseconds> {
    let (whole, decimals) = match text.split_last_chunk::<4>() {
        Some((whole, [b'.', a, b, c])) => (whole, [b'0', b'0', b'0', b'0', b'0', *a, *b, *c]),
        _ => (text, [b'0'; 8]),
    };
    let micros = match whole.split_last_chunk::<8>() {
        None => eight_digits(padded(whole)?)?,
        Some((head, tail)) => eight_digits(padded(head)?)? * 100_000_000 + eight_digits(*tail)?,
    };
    let decimals = eight_digits(decimals)?;
    Some(Nanoseconds {
        // Below 10^16 thousands, which 63 bits hold almost: the rest is read the other way.
        value: micros.checked_mul(1000)?.checked_add(decimals)?,
        has_fraction: decimals != 0,
    })
}

/// Up to eight digits with zeros before them; `None` for none at all, and for more.
#[inline]
fn padded(digits: &[u8]) -> Option<[u8; 8]> {
    let mut text = [b'0'; 8];
    if digits.is_empty() {
        return None;
    }
    text.get_mut(8_usize.checked_sub(digits.len())?..)?
        .copy_from_slice(digits);
    Some(text)
}

/// The number that eight digits write, worked out by halves: pairs of digits, pairs of those, and
/// again. `None` if one is no digit.
#[inline]
fn eight_digits(text: [u8; 8]) -> Option<i64> {
    const TOPS: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let word = u64::from_le_bytes(text);
    // A digit has the top half of zero, and still has it with six added.
    let six = word.wrapping_add(0x0606_0606_0606_0606);
    if word & TOPS != ZEROS || six & TOPS != ZEROS {
        return None;
    }
    let digits = word - ZEROS;
    let pairs = (digits.wrapping_mul(10) + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((fours.wrapping_mul(10_000) + (fours >> 32)).cast_signed() & 0xffff_ffff)
}

fn any_nanoseconds(text: &[u8]) -> Option<Nanoseconds> {
    let (negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    };
    let mut value = 0_i64;
    let mut rest = digits.iter();
    let mut digit_count = 0;
    let mut fraction = None;
    for byte in rest.by_ref() {
        match byte {
            b'0'..=b'9' => {
                value = value.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?;
                digit_count += 1;
            }
            b'.' => {
                fraction = Some(());
                break;
            }
            b'e' | b'E' => return exponent(text),
            _ => return None,
        }
    }
    let mut nanos = value.checked_mul(1000)?;
    let mut has_fraction = false;
    if fraction.is_some() {
        let mut scale = 100;
        for (i, byte) in rest.enumerate() {
            match byte {
                b'0'..=b'9' => {
                    let digit = i64::from(byte - b'0');
                    has_fraction |= digit != 0;
                    digit_count += 1;
                    if i < 3 {
                        nanos = nanos.checked_add(digit * scale)?;
                        scale /= 10;
                    } else if i == 3 && digit >= 5 {
                        nanos = nanos.checked_add(1)?;
                    }
                }
                b'e' | b'E' => return exponent(text),
                _ => return None,
            }
        }
    }
    (digit_count > 0).then_some(Nanoseconds {
        value: if negative { -nanos } else { nanos },
        has_fraction,
    })
}

/// A time, and whether its text had a fraction of a microsecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nanoseconds {
    pub(super) value: i64,
    pub(super) has_fraction: bool,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the range is checked before"
)]
fn exponent(text: &[u8]) -> Option<Nanoseconds> {
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    let nanos = (value * 1000.0).round();
    let fits = nanos.is_finite() && nanos.abs() < 9.2e18;
    fits.then(|| Nanoseconds {
        value: nanos as i64,
        has_fraction: value.fract() != 0.0,
    })
}

/// An integer of up to 64 bits, signed or not; unsigned ones beyond `i64::MAX` keep their bits.
pub(super) fn id(text: &[u8]) -> Option<u64> {
    let (negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 20 {
        return None;
    }
    let mut value = 0_u64;
    for byte in digits {
        let digit = u64::from(byte.checked_sub(b'0').filter(|it| *it < 10)?);
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// An integer of 63 bits and a sign.
pub(super) fn integer(text: &[u8]) -> Option<i64> {
    let value = id(text)?;
    if text.first() == Some(&b'-') {
        (value == 0 || value >= 1 << 63).then_some(value.cast_signed())
    } else {
        i64::try_from(value).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epoch_times_keep_every_nanosecond() {
        let ns = |text: &str| nanoseconds(text.as_bytes()).map(|it| it.value);
        assert_eq!(ns("1767225712123456.001"), Some(1_767_225_712_123_456_001));
        assert_eq!(ns("12"), Some(12_000));
        assert_eq!(ns("12.5"), Some(12_500));
        assert_eq!(ns("-0.001"), Some(-1));
        assert_eq!(ns("102.95699890136719"), Some(102_957));
        assert_eq!(ns("0.0005"), Some(1));
        assert_eq!(ns("1.5e3"), Some(1_500_000));
        assert_eq!(ns("9223372036854775.807"), Some(i64::MAX));
        assert_eq!(ns("1234567890123456"), Some(1_234_567_890_123_456_000));
        assert_eq!(ns("9223372036854775.0"), Some(9_223_372_036_854_775_000));
        assert_eq!(ns("123456789.987"), Some(123_456_789_987));
        assert_eq!(ns("12345678.000"), Some(12_345_678_000));
        for bad in [
            "1234/678",
            "12345:78",
            "1234567x.123",
            "",
            "-",
            ".",
            "9223372036854776",
            "1e30",
            "nan",
            "12a",
            "1.2.3",
        ] {
            assert_eq!(ns(bad), None, "{bad}");
        }
    }

    #[test]
    fn ids_keep_64_bits() {
        assert_eq!(
            id(b"10159970886766084423"),
            Some(10_159_970_886_766_084_423)
        );
        assert_eq!(id(b"18446744073709551616"), None);
        assert_eq!(integer(b"-7"), Some(-7));
        assert_eq!(integer(b"10159970886766084423"), None);
        assert_eq!(integer(b"7x"), None);
    }
}
