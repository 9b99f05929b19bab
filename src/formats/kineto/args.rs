//! What loading must know of an event's arguments (settled in the plan, 0.1 point 9); all else is
//! read when somebody looks at the one span.

use std::sync::OnceLock;

use memchr::memmem::Finder;
use serde_json::{Map, Value};

use crate::formats::kineto::cursor::Scalar;
use crate::formats::kineto::number::{id, integer};
use crate::formats::kineto::pairs::Pairs;

/// The arguments of an event.
#[derive(Clone, Copy)]
pub(super) enum Args<'r> {
    None,
    /// A plain object as it stands in the file, with no other object in it.
    Flat(&'r [u8]),
    /// A plain object as it stands in the file.
    Plain(&'r [u8]),
    Mended(&'r Map<String, Value>),
}

/// Keys that place an event and tie it to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Picked {
    pub(super) device: Option<i64>,
    pub(super) correlation: Option<u64>,
    pub(super) is_collective: bool,
    pub(super) is_graph_node: bool,
}

impl Args<'_> {
    pub(super) fn pick(&self) -> Picked {
        let Self::Flat(object) = self else {
            let mut picked = Picked {
                correlation: self.correlation(),
                ..Picked::default()
            };
            self.each(|key, value| match key {
                b"device" => picked.device = integer(value.text),
                b"Collective name" => picked.is_collective = !value.text.is_empty(),
                b"graph node id" => picked.is_graph_node = id(value.text).is_some_and(|it| it != 0),
                _ => {}
            });
            return picked;
        };
        Picked {
            device: DEVICE.value(object).and_then(integer),
            correlation: CORRELATION.value(object).and_then(id),
            is_collective: COLLECTIVE.value(object).is_some_and(|it| !it.is_empty()),
            is_graph_node: GRAPH_NODE
                .value(object)
                .and_then(id)
                .is_some_and(|it| it != 0),
        }
    }

    /// All that counts of a call.
    pub(super) fn correlation(&self) -> Option<u64> {
        if let Self::Flat(object) = self {
            return CORRELATION.value(object).and_then(id);
        }
        let mut found = None;
        self.each(|key, value| {
            if key == b"correlation" {
                found = id(value.text);
            }
        });
        found
    }

    /// Gives each key with its value: texts without quotes, numbers as written.
    pub(super) fn each(&self, mut take: impl FnMut(&[u8], Scalar<'_>)) {
        match self {
            Self::None => {}
            Self::Flat(object) | Self::Plain(object) => {
                Pairs::of(object).for_each(|(key, value)| take(key, value));
            }
            Self::Mended(map) => {
                for (key, value) in *map {
                    let (text, quoted) = match value {
                        Value::String(text) => (text.clone(), true),
                        other => (other.to_string(), false),
                    };
                    take(
                        key.as_bytes(),
                        Scalar {
                            text: text.as_bytes(),
                            quoted,
                        },
                    );
                }
            }
        }
    }

    /// The text under `wanted`.
    pub(super) fn text(&self, wanted: &str) -> Option<String> {
        let mut found = None;
        self.each(|key, value| {
            if key == wanted.as_bytes() {
                found = Some(String::from_utf8_lossy(value.text).into_owned());
            }
        });
        found
    }
}

static DEVICE: Key = Key::new("\"device\"");
static CORRELATION: Key = Key::new("\"correlation\"");
static COLLECTIVE: Key = Key::new("\"Collective name\"");
static GRAPH_NODE: Key = Key::new("\"graph node id\"");

/// A key in its quotes, searched for without a walk over the others: in a plain object with no other in
/// it, what stands in quotes before a colon is a key.
struct Key {
    text: &'static str,
    finder: OnceLock<Finder<'static>>,
}

impl Key {
    const fn new(text: &'static str) -> Self {
        Self {
            text,
            finder: OnceLock::new(),
        }
    }

    /// A number as it stands, or a text without its quotes.
    #[inline]
    fn value<'o>(&self, object: &'o [u8]) -> Option<&'o [u8]> {
        let finder = self.finder.get_or_init(|| Finder::new(self.text));
        let mut from = 0;
        loop {
            from += finder.find(object.get(from..)?)? + self.text.len();
            let rest = object.get(from..)?.trim_ascii_start();
            let Some(value) = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start) else {
                continue;
            };
            let (value, ends): (_, &[u8]) = match value.strip_prefix(b"\"") {
                Some(text) => (text, b"\""),
                None => (value, b",} \n\r\t"),
            };
            let length = value.iter().position(|it| ends.contains(it))?;
            return value.get(..length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_for_the_keys_gives_what_a_walk_gives() {
        for object in [
            &br#"{"device": 3,"stream": 7, "correlation" : 18446744073709551615, "grid": [1, 2]}"#
                [..],
            br#"{"a": "device", "b": ["correlation", "x"], "correlation":-1 , "device": "2"}"#,
            br#"{"Collective name": "allreduce", "graph node id": 12, "correlation":null}"#,
            br#"{"Collective name": "", "graph node id": 0, "devices": 4}"#,
            br"{}",
        ] {
            let text = String::from_utf8_lossy(object);
            let (flat, plain) = (Args::Flat(object), Args::Plain(object));
            assert_eq!(flat.pick(), plain.pick(), "{text}");
            assert_eq!(flat.correlation(), plain.correlation(), "{text}");
        }
    }
}
