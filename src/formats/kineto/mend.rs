//! Reads one JSON value leniently and writes it out strictly, counting what was mended.
//!
//! The result is text that `serde_json` takes. It is used for every event that the scanner does not
//! understand, for the head of a file, and for the record that somebody looks at. Rules: control
//! characters and stray bytes are kept visibly; a text with an invalid escape is taken literally as a
//! whole; a quote inside a text that nothing JSON-like follows is part of it; `NaN`, `inf` and their
//! kin are no value; other bare words and hexadecimal numbers become texts; extra commas vanish.

use crate::formats::kineto::skip::DEPTH_MAX;
use crate::model::Issue;

/// Bytes that one event may have (settled in the plan, 0.1 point 24).
pub(super) const EVENT_BYTES_MAX: usize = 64 << 20;

/// How far behind a quote that ends nothing the true end of a text is looked for.
const STRAY_BYTES_MAX: usize = 64 << 10;

/// Why a value cannot be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The text ends first.
    CutOff,
    /// Nothing sensible stands at this byte.
    Syntax(usize),
    TooDeep,
    TooLong,
}

/// Strict JSON, where the value ended in the input, and what was mended: kind and byte.
#[derive(Debug)]
pub(super) struct Mended {
    pub(super) text: String,
    pub(super) end: usize,
    pub(super) faults: Vec<(Issue, u64)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    Key,
    Colon,
    /// A comma, or the end of what is open.
    Next,
}

struct Mender<'a> {
    bytes: &'a [u8],
    at: usize,
    out: String,
    open: Vec<u8>,
    faults: Vec<(Issue, u64)>,
    /// Raw keys of the outermost object.
    keys: Vec<&'a [u8]>,
}

/// Mends the value that starts at `at`.
pub(super) fn mend(bytes: &[u8], at: usize) -> Result<Mended, Broken> {
    let limit = bytes.len().min(at.saturating_add(EVENT_BYTES_MAX));
    let clipped = bytes.get(..limit).unwrap_or_default();
    let mut mender = Mender {
        bytes: clipped,
        at,
        out: String::new(),
        open: Vec::new(),
        faults: Vec::new(),
        keys: Vec::new(),
    };
    match mender.value() {
        Ok(()) => Ok(Mended {
            text: mender.out,
            end: mender.at,
            faults: mender.faults,
        }),
        Err(Broken::CutOff) if limit < bytes.len() => Err(Broken::TooLong),
        Err(broken) => Err(broken),
    }
}

impl Mender<'_> {
    fn fault(&mut self, issue: Issue, at: usize) {
        self.faults.push((issue, at as u64));
    }

    fn peek(&mut self) -> Result<u8, Broken> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Ok(*byte);
            }
            self.at += 1;
        }
        Err(Broken::CutOff)
    }

    fn value(&mut self) -> Result<(), Broken> {
        let mut expect = Expect::Value;
        loop {
            let byte = self.peek()?;
            expect = match (expect, byte) {
                (Expect::Value | Expect::Key, b',') => self.stray_comma(expect),
                (_, b'}' | b']') => self.close(byte, expect)?,
                (Expect::Value, b'{' | b'[') => self.enter(byte)?,
                (Expect::Value, b'"') => {
                    self.string(false)?;
                    Expect::Next
                }
                (Expect::Value, _) => {
                    self.word()?;
                    Expect::Next
                }
                (Expect::Key, b'"') => {
                    self.string(true)?;
                    Expect::Colon
                }
                (Expect::Colon, b':') => {
                    self.push(b':');
                    Expect::Value
                }
                (Expect::Next, b',') => {
                    self.push(b',');
                    if self.open.last() == Some(&b'{') {
                        Expect::Key
                    } else {
                        Expect::Value
                    }
                }
                _ => return Err(Broken::Syntax(self.at)),
            };
            if self.open.is_empty() && expect == Expect::Next {
                return Ok(());
            }
        }
    }

    fn push(&mut self, byte: u8) {
        self.out.push(char::from(byte));
        self.at += 1;
    }

    fn stray_comma(&mut self, expect: Expect) -> Expect {
        self.fault(Issue::TrailingComma, self.at);
        self.at += 1;
        expect
    }

    fn enter(&mut self, byte: u8) -> Result<Expect, Broken> {
        if self.open.len() >= DEPTH_MAX as usize {
            return Err(Broken::TooDeep);
        }
        self.open.push(byte);
        self.push(byte);
        Ok(if byte == b'{' {
            Expect::Key
        } else {
            Expect::Value
        })
    }

    fn close(&mut self, byte: u8, expect: Expect) -> Result<Expect, Broken> {
        let opener = if byte == b'}' { b'{' } else { b'[' };
        let fits = self.open.last() == Some(&opener);
        let after_colon = expect == Expect::Value && opener == b'{';
        if !fits || after_colon || expect == Expect::Colon {
            return Err(Broken::Syntax(self.at));
        }
        if expect != Expect::Next && self.out.ends_with(',') {
            self.out.pop();
            self.fault(Issue::TrailingComma, self.at);
        }
        self.open.pop();
        self.push(byte);
        Ok(Expect::Next)
    }

    /// A text. Its raw end is found first; then it is written out by the rules of this file.
    fn string(&mut self, is_key: bool) -> Result<(), Broken> {
        let start = self.at + 1;
        let (end, stray_quote) = self.string_end(start, is_key)?;
        let raw = self.bytes.get(start..end).unwrap_or_default();
        if stray_quote && holds_event(raw) {
            return Err(Broken::Syntax(start));
        }
        if is_key && self.open.len() == 1 {
            if self.keys.contains(&raw) {
                self.fault(Issue::DuplicateKey, start);
            }
            self.keys.push(raw);
        }
        let text = String::from_utf8_lossy(raw);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            self.fault(Issue::InvalidUtf8, start);
        }
        if text.bytes().any(|it| it < 0x20) {
            self.fault(Issue::ControlCharacter, start);
        }
        let literal = stray_quote || text.contains('\\') && has_bad_escape(&text);
        if literal {
            self.fault(Issue::BadEscape, start);
        }
        self.write_string(&text, literal, start);
        self.at = end + 1;
        Ok(())
    }

    /// The closing quote: one that JSON can follow. Also whether a quote was passed over.
    fn string_end(&self, start: usize, is_key: bool) -> Result<(usize, bool), Broken> {
        let mut at = start;
        let mut stray = None;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            // A text that runs on and on after a stray quote is not worth the walk.
            if stray.is_some_and(|it: usize| at - it > STRAY_BYTES_MAX) {
                return Err(Broken::Syntax(start));
            }
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                return Err(Broken::CutOff);
            };
            at += found;
            if rest.get(found) == Some(&b'\\') {
                at += 2;
                continue;
            }
            let mut after = self.bytes.get(at + 1..).unwrap_or_default().iter();
            let next = after.find(|it| !it.is_ascii_whitespace());
            let fits = match next {
                None => true,
                Some(b':') => is_key,
                Some(b',' | b'}' | b']') => !is_key,
                Some(_) => false,
            };
            if fits || is_key {
                return Ok((at, stray.is_some()));
            }
            stray = stray.or(Some(at));
            at += 1;
        }
    }

    fn write_string(&mut self, text: &str, literal: bool, start: usize) {
        let mut written = String::with_capacity(text.len());
        let mut chars = text.chars();
        while let Some(it) = chars.next() {
            match it {
                '\\' if literal => written.push_str("\\\\"),
                '"' => written.push_str("\\\""),
                '\\' => {
                    written.push('\\');
                    written.extend(chars.next());
                }
                it if u32::from(it) < 0x20 => {
                    let digit = |nibble: u32| char::from_digit(nibble, 16).unwrap_or('0');
                    written.push_str("\\u00");
                    written.extend([digit(u32::from(it) >> 4), digit(u32::from(it) & 15)]);
                }
                it => written.push(it),
            }
        }
        if !literal && written.contains("\\u") {
            let (fixed, has_lone) = without_lone_surrogates(&written);
            if has_lone {
                self.fault(Issue::LoneSurrogate, start);
            }
            written = fixed;
        }
        self.out.push('"');
        self.out.push_str(&written);
        self.out.push('"');
    }

    /// A number, a literal, or some other bare word.
    fn word(&mut self) -> Result<(), Broken> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = rest.iter().position(|it| {
            matches!(it, b',' | b'}' | b']' | b':' | b'"' | b'{' | b'[') || it.is_ascii_whitespace()
        });
        let length = length.ok_or(Broken::CutOff)?;
        let word = rest
            .get(..length)
            .and_then(|it| std::str::from_utf8(it).ok());
        let word = word
            .filter(|it| !it.is_empty())
            .ok_or(Broken::Syntax(start))?;
        self.at += length;
        match word {
            "true" | "false" | "null" => self.out.push_str(word),
            _ if serde_json::from_str::<serde_json::Number>(word).is_ok() => {
                self.out.push_str(word);
            }
            _ => self.odd_word(word, start)?,
        }
        Ok(())
    }

    fn odd_word(&mut self, word: &str, start: usize) -> Result<(), Broken> {
        let bare = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
        if matches!(
            bare.as_str(),
            "nan" | "inf" | "infinity" | "n/a" | "1.#inf" | "1.#ind" | "1.#qnan"
        ) {
            self.fault(Issue::NonFiniteNumber, start);
            self.out.push_str("null");
        } else if let Some(number) = word.parse().ok().and_then(serde_json::Number::from_f64) {
            self.out.push_str(&number.to_string());
        } else if word
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || b"_.+-".contains(&it))
        {
            self.fault(Issue::BareWord, start);
            self.out.push('"');
            self.out.push_str(word);
            self.out.push('"');
        } else {
            return Err(Broken::Syntax(start));
        }
        Ok(())
    }
}

/// Whether a text ran over the start of another event, which a name with a quote in it does not: the
/// closing quote is missing.
fn holds_event(raw: &[u8]) -> bool {
    memchr::memchr_iter(b'{', raw).any(|brace| {
        let before = raw.get(..brace).unwrap_or_default().trim_ascii_end();
        let after = raw.get(brace + 1..).unwrap_or_default().trim_ascii_start();
        let keys = [
            &b"\"ph\""[..],
            b"\"name\"",
            b"\"cat\"",
            b"\"pid\"",
            b"\"ts\"",
        ];
        before.ends_with(b",") && keys.iter().any(|it| after.starts_with(it))
    })
}

/// The value of the escape `\uXXXX` at the head of `text`.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

/// Half a surrogate pair becomes U+FFFD; tells if there was one. All escapes of `text` are valid.
fn without_lone_surrogates(text: &str) -> (String, bool) {
    let mut fixed = String::with_capacity(text.len());
    let mut has_lone = false;
    let mut rest = text;
    while let Some(found) = rest.find('\\') {
        let (head, tail) = rest.split_at(found);
        fixed.push_str(head);
        let second = tail.get(6..).and_then(unit);
        let (length, is_lone) = match (unit(tail), second) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, false),
            (Some(0xd800..=0xdfff), _) => (6, true),
            (Some(_), _) => (6, false),
            (None, _) => (2, false),
        };
        let (escape, behind) = tail.split_at_checked(length).unwrap_or((tail, ""));
        fixed.push_str(if is_lone { "\u{fffd}" } else { escape });
        has_lone |= is_lone;
        rest = behind;
    }
    fixed.push_str(rest);
    (fixed, has_lone)
}

fn has_bad_escape(text: &str) -> bool {
    let mut rest = text;
    while let Some(found) = rest.find('\\') {
        let tail = rest.get(found + 1..).unwrap_or_default();
        let length = match tail.bytes().next() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 1,
            Some(b'u') if unit(rest.get(found..).unwrap_or_default()).is_some() => 5,
            _ => return true,
        };
        rest = tail.get(length..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(input: &[u8], want: &str, faults: &[Issue]) {
        let mended = mend(input, 0).unwrap();
        let value: serde_json::Value = serde_json::from_str(&mended.text).unwrap();
        assert_eq!(value.to_string(), want);
        assert_eq!(
            mended.faults.iter().map(|it| it.0).collect::<Vec<_>>(),
            faults
        );
    }

    #[test]
    fn every_lenient_reading_gives_strict_text_and_is_counted() {
        check(br#"{"a": 1}"#, r#"{"a":1}"#, &[]);
        check(
            br#"{"a": [1, 2,], "b": 3,}"#,
            r#"{"a":[1,2],"b":3}"#,
            &[Issue::TrailingComma; 2],
        );
        check(
            b"[NaN, -Infinity, inf]",
            "[null,null,null]",
            &[Issue::NonFiniteNumber; 3],
        );
        check(
            b"[\"a\x01b\", \"c\nd\"]",
            r#"["a\u0001b","c\nd"]"#,
            &[Issue::ControlCharacter; 2],
        );
        check(
            br#"["D:\new\util", "a\/b"]"#,
            r#"["D:\\new\\util","a/b"]"#,
            &[Issue::BadEscape],
        );
        check(
            b"[\"norm_\xfe\xff_fwd\"]",
            "[\"norm_\u{fffd}\u{fffd}_fwd\"]",
            &[Issue::InvalidUtf8],
        );
        check(
            br#"["x\ud83dy", "\ud83d\ude00"]"#,
            "[\"x\u{fffd}y\",\"\u{1f600}\"]",
            &[Issue::LoneSurrogate],
        );
        check(
            br#"{"s": 0x4142e90, "d": ncclFloat32}"#,
            r#"{"s":"0x4142e90","d":"ncclFloat32"}"#,
            &[Issue::BareWord; 2],
        );
        check(
            br#"{"n": "say "hi" now", "m": 1}"#,
            r#"{"n":"say \"hi\" now","m":1}"#,
            &[Issue::BadEscape],
        );
        check(br#"{"a": 1, "a": 2}"#, r#"{"a":2}"#, &[Issue::DuplicateKey]);
        check(
            br#"["a", "\u0041\ud800\"]", "b"]"#,
            "[\"a\",\"A\u{fffd}\\\"]\",\"b\"]",
            &[Issue::LoneSurrogate],
        );
        check(br#"["\\ud800"]"#, r#"["\\ud800"]"#, &[]);
    }

    #[test]
    fn what_cannot_be_mended_says_where() {
        assert_eq!(
            mend(br#"{"ts": 1, tid": 0}"#, 0).unwrap_err(),
            Broken::Syntax(10)
        );
        assert_eq!(mend(br#"{"name": "cut"#, 0).unwrap_err(), Broken::CutOff);
        assert_eq!(
            mend("[".repeat(100_000).as_bytes(), 0).unwrap_err(),
            Broken::TooDeep
        );
    }

    proptest! {
        #[test]
        fn whatever_is_mended_is_strict(input in r#"[\[{]([ ,:"a\\u1nN.\-\]}{\[d8]|\PC){0,40}[\]}]"#) {
            if let Ok(mended) = mend(input.as_bytes(), 0) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&mended.text).is_ok(), "{}", mended.text);
            }
        }
    }
}
