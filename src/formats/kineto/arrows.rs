//! The places of arrows, for files that tie launches and work in no other way.
//!
//! Most files carry correlation ids, so arrows are only counted while a file is read. Where the work
//! has no such id, each arrow is read once more at its byte: its row and its time.

use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::formats::kineto::category::stream_of_thread;
use crate::formats::kineto::mend::mend;
use crate::formats::kineto::number::{integer, nanoseconds};
use crate::model::{Arrow, ArrowEnd, ArrowPoint, RowId};

/// Where each arrow begins, passes or ends; those without a readable time have no place.
pub(super) fn points(bytes: &[u8], arrows: &[Arrow]) -> Vec<ArrowPoint> {
    arrows
        .par_iter()
        .with_min_len(1 << 10)
        .filter_map(|it| point(bytes, it))
        .collect()
}

fn point(bytes: &[u8], arrow: &Arrow) -> Option<ArrowPoint> {
    let mended = mend(bytes, usize::try_from(arrow.at).ok()?).ok()?;
    let fields: Map<String, Value> = serde_json::from_str(&mended.text).ok()?;
    let text = |key: &str| match fields.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let row = |text: String| {
        integer(text.as_bytes()).map_or_else(|| RowId::Text(text.into()), RowId::Number)
    };
    let process = text("pid").map_or(RowId::Number(0), row);
    let mut thread = text("tid").map_or_else(|| process.clone(), row);
    // Streams stand under their number, whatever text the file gives them.
    if let (RowId::Text(label), true) = (&thread, arrow.end != ArrowEnd::Tail)
        && let Some(stream) = stream_of_thread(label)
    {
        thread = RowId::Number(stream);
    }
    Some(ArrowPoint {
        id: arrow.id,
        end: arrow.end,
        process,
        thread,
        time: nanoseconds(text("ts")?.as_bytes())?.value,
    })
}
