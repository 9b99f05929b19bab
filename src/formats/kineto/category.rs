//! Categories of all generations of Kineto to kinds and roles (formats.md 2.6), and the names by
//! which other writers mark the rows of a GPU (2.7, section 3; settled in the plan, 0.1 point 6).

use crate::model::{Kind, Role};

/// The kind of a category; `None` for one that is not known. Letter case does not count.
pub(super) fn kind_of(category: &[u8]) -> Option<Kind> {
    const TABLE: &[(&str, Kind)] = &[
        ("kernel", Kind::Kernel),
        ("gpu_memcpy", Kind::Memcpy),
        ("memcpy", Kind::Memcpy),
        ("gpu_memset", Kind::Memset),
        ("memset", Kind::Memset),
        ("cpu_op", Kind::CpuOp),
        ("operator", Kind::CpuOp),
        ("python_function", Kind::Python),
        ("cuda_runtime", Kind::Runtime),
        ("runtime", Kind::Runtime),
        ("cuda_driver", Kind::Driver),
        ("user_annotation", Kind::Annotation),
        ("user", Kind::Annotation),
        ("gpu_user_annotation", Kind::GpuAnnotation),
        ("cuda_sync", Kind::Sync),
        ("cuda_event", Kind::Marker),
        ("overhead", Kind::Overhead),
        ("trace", Kind::Window),
    ];
    // The four that make up most files need no search.
    match category {
        b"cpu_op" => Some(Kind::CpuOp),
        b"python_function" => Some(Kind::Python),
        b"cuda_runtime" => Some(Kind::Runtime),
        b"kernel" => Some(Kind::Kernel),
        _ => TABLE
            .iter()
            .find(|it| category.eq_ignore_ascii_case(it.0.as_bytes()))
            .map(|it| it.1),
    }
}

/// The kind of an event whose category is not known: `cuda` leaves it to the name, other
/// accelerators name their calls like CUDA's.
pub(super) fn kind_by_words(category: &[u8], name: &[u8]) -> Kind {
    let ends =
        |word: &[u8]| category.len() > word.len() && category.to_ascii_lowercase().ends_with(word);
    match category {
        b"" => Kind::Other,
        b"cuda" => kind_of_work(&String::from_utf8_lossy(name)),
        b"nvtx" => Kind::Annotation,
        b"nvtx-kernel" => Kind::GpuAnnotation,
        _ if ends(b"_runtime") || ends(b"_api") => Kind::Runtime,
        _ if ends(b"_driver") => Kind::Driver,
        _ => Kind::Other,
    }
}

/// The role of the row that a span of this kind stands on.
pub(super) fn role_of(kind: Kind) -> Role {
    match kind {
        Kind::Kernel | Kind::Memcpy | Kind::Memset => Role::Work,
        Kind::GpuAnnotation => Role::Annotation,
        Kind::Sync | Kind::Marker => Role::Sync,
        Kind::Overhead | Kind::Window => Role::Overhead,
        Kind::Async => Role::Async,
        _ => Role::Cpu,
    }
}

/// The GPU whose rows a process of this name holds: `/device:GPU:3`, `Device 1`.
pub(super) fn device_of_process(label: &str) -> Option<i64> {
    let device = label
        .split("/device:GPU:")
        .nth(1)
        .or_else(|| label.strip_prefix("Device "))?;
    let digits = device.split(|it: char| !it.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The GPU whose queues are the rows of a process of this name: `GPU2`, as the older `ROCm` tools write.
pub(super) fn device_of_queues(label: &str) -> Option<i64> {
    let digits = label
        .strip_prefix("GPU")
        .filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?;
    digits.parse().ok()
}

/// The stream that a row of this name is: `Stream #16(Kernel)`, `stream 7 `, `CUDA API 7`.
pub(super) fn stream_of_thread(label: &str) -> Option<i64> {
    let lower = label.trim().to_ascii_lowercase();
    let rest = lower
        .strip_prefix("stream")
        .or_else(|| lower.strip_prefix("cuda api"))?;
    let rest = rest.trim_start_matches([' ', '#']);
    let digits = rest.split(|it: char| !it.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The kind of work that a span without a category is, by its name.
pub(super) fn kind_of_work(name: &str) -> Kind {
    let lower = name.to_ascii_lowercase();
    // Nsight Systems writes `[CUDA memcpy HtoD]`.
    let lower = lower.strip_prefix("[cuda ").unwrap_or(&lower);
    if ["memcpy", "copyhostto", "copydeviceto"]
        .iter()
        .any(|it| lower.starts_with(it))
    {
        Kind::Memcpy
    } else if lower.starts_with("memset") {
        Kind::Memset
    } else {
        Kind::Kernel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_categories_give_the_same_kinds() {
        for (old, new) in [
            ("Kernel", "kernel"),
            ("Memcpy", "gpu_memcpy"),
            ("Memset", "gpu_memset"),
            ("Operator", "cpu_op"),
            ("Runtime", "cuda_runtime"),
        ] {
            assert_eq!(kind_of(old.as_bytes()), kind_of(new.as_bytes()));
            assert!(kind_of(old.as_bytes()).is_some());
        }
        assert_eq!(kind_of(b"mtia_ccp_events"), None);
    }

    #[test]
    fn rows_of_other_writers_are_recognized() {
        assert_eq!(device_of_process("/device:GPU:6"), Some(6));
        assert_eq!(device_of_process("/host:CPU"), None);
        assert_eq!(device_of_process("Device 1"), Some(1));
        assert_eq!(device_of_queues("GPU2"), Some(2));
        assert_eq!(device_of_queues("GPU Barriers2"), None);
        assert_eq!(device_of_queues("GPU"), None);
        assert_eq!(stream_of_thread("Stream #123(MemcpyH2D)"), Some(123));
        assert_eq!(stream_of_thread("stream 7 "), Some(7));
        assert_eq!(stream_of_thread("CUDA API 14"), Some(14));
        assert_eq!(stream_of_thread("Framework Name Scope - from #16"), None);
    }
}
