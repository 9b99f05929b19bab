//! What loading must know of an event's arguments (settled in the plan, 0.1 point 9); all else is
//! read when somebody looks at the one span.

use serde_json::{Map, Value};

use crate::formats::kineto::event::Scalar;
use crate::formats::kineto::number::{id, integer};
use crate::formats::kineto::pairs::Pairs;

/// The arguments of an event.
#[derive(Clone, Copy)]
pub(super) enum Args<'r> {
    None,
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
        let mut picked = Picked::default();
        self.each(|key, value| match key {
            b"device" => picked.device = integer(value.text),
            b"correlation" => picked.correlation = id(value.text),
            b"Collective name" => picked.is_collective = !value.text.is_empty(),
            b"graph node id" => picked.is_graph_node = id(value.text).is_some_and(|it| it != 0),
            _ => {}
        });
        picked
    }

    /// Gives each key with its value: texts without quotes, numbers as written.
    pub(super) fn each(&self, mut take: impl FnMut(&[u8], Scalar<'_>)) {
        match self {
            Self::None => {}
            Self::Plain(object) => Pairs::of(object).for_each(|(key, value)| take(key, value)),
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
