//! The keys and values of a plain object, one level deep: texts without their quotes, numbers and
//! literals as they stand, objects and lists with their brackets.

use crate::formats::kineto::cursor::{Cursor, Scalar, Stop};

/// Walks over an object that was found to be plain.
pub(super) struct Pairs<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Pairs<'a> {
    pub(super) fn of(object: &'a [u8]) -> Self {
        Self {
            cursor: Cursor::new(object, 1),
        }
    }

    fn step(&mut self) -> Result<(&'a [u8], Scalar<'a>), Stop> {
        let cursor = &mut self.cursor;
        if cursor.peek()? == b',' {
            cursor.at += 1;
        }
        cursor.expect(b'"')?;
        let key = cursor.key()?;
        cursor.expect(b':')?;
        let first = cursor.peek()?;
        if first == b'"' {
            return Ok((
                key,
                Scalar {
                    text: cursor.text(first)?,
                    quoted: true,
                },
            ));
        }
        let from = cursor.at;
        if matches!(first, b'{' | b'[') {
            cursor.skip()?;
        } else {
            let rest = cursor.bytes.get(from..).unwrap_or_default();
            let length = rest
                .iter()
                .position(|it| matches!(it, b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t'));
            cursor.at = from + length.ok_or(Stop::CutOff)?;
        }
        let text = cursor.bytes.get(from..cursor.at).unwrap_or_default();
        Ok((
            key,
            Scalar {
                text,
                quoted: false,
            },
        ))
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a [u8], Scalar<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.step().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_given_as_they_stand() {
        let object = br#"{"a": [1, {"b": "}"}], "c":"d" , "e" : -1.5e3, "f": null}"#;
        let pairs: Vec<_> = Pairs::of(object)
            .map(|it| (it.0, it.1.text, it.1.quoted))
            .collect();
        let want = [
            (&b"a"[..], &br#"[1, {"b": "}"}]"#[..], false),
            (b"c", b"d", true),
            (b"e", b"-1.5e3", false),
            (b"f", b"null", false),
        ];
        assert_eq!(pairs, want);
    }
}
