//! What the head of a file says of the recording. Host names and environment values are not read.

use serde_json::Value;

use crate::base::Time;
use crate::formats::kineto::document::Head;
use crate::model::{Gpu, Issue, RankId, TraceBuilder};

/// Times from here on, in nanoseconds, count from the Unix epoch (0.1 point 7: 1e14 µs).
const EPOCH_FROM_NS: i64 = 100_000_000_000_000_000;

/// Writes it into the head of the trace.
pub(super) fn read_head(
    head: &Head,
    is_kineto: bool,
    last_end: Option<Time>,
    builder: &mut TraceBuilder,
) {
    let value = |key: &str| head.values.get(key);
    let number = |it: &Value| it.as_i64().or_else(|| it.as_str()?.trim().parse().ok());
    let is_kineto =
        is_kineto || value("schemaVersion").is_some() || value("deviceProperties").is_some();
    if value("baseTimeNanoseconds").is_some_and(|it| number(it).is_none()) {
        builder.issue(Issue::BadBaseTime, None);
    }
    let out = builder.head_mut();
    out.writer = if is_kineto { "Kineto" } else { "Chrome trace" };
    match value("baseTimeNanoseconds") {
        Some(base) => {
            out.epoch_ns = number(base);
            out.has_base_time = out.epoch_ns.is_some();
        }
        None if last_end.is_some_and(|it| it.0 >= EPOCH_FROM_NS) => out.epoch_ns = Some(0),
        None => {}
    }
    if let Some(Value::Object(info)) = value("distributedInfo") {
        let rank = info
            .get("rank")
            .and_then(number)
            .and_then(|it| u32::try_from(it).ok());
        out.rank = rank.map(RankId);
        let size = info.get("world_size").and_then(number);
        out.world_size = size.and_then(|it| u32::try_from(it).ok());
    }
    let versions = [
        ("cuda_runtime_version", "CUDA", 1000, 10),
        ("hip_runtime_version", "ROCm", 10_000_000, 100_000),
    ];
    for (key, title, major, minor) in versions {
        if let Some(version) = value(key).and_then(number).filter(|it| *it > 0) {
            out.software.push(format!(
                "{title} {}.{}",
                version / major,
                version % major / minor
            ));
        }
    }
    let gpus = value("deviceProperties")
        .and_then(Value::as_array)
        .map_or_else(Default::default, Vec::as_slice);
    for (position, gpu) in gpus.iter().enumerate() {
        let name = gpu
            .get("name")
            .and_then(Value::as_str)
            .filter(|it| !it.is_empty());
        out.gpus.push(Gpu {
            ordinal: gpu
                .get("id")
                .and_then(number)
                .unwrap_or_else(|| i64::try_from(position).unwrap_or(0)),
            name: name.map(str::to_owned),
            memory_bytes: gpu.get("totalGlobalMem").and_then(Value::as_u64),
        });
    }
}
