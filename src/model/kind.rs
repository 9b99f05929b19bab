//! What a span is, by the category its file gives it. Which *class* of work a kernel does (compute,
//! communication) is told by its name and lives in `class.rs`.

/// Kind of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Kernel,
    Memcpy,
    Memset,
    /// A framework operator on a CPU thread.
    CpuOp,
    /// A call of the CUDA or HIP runtime on a CPU thread.
    Runtime,
    /// A call of the CUDA driver on a CPU thread.
    Driver,
    Python,
    Annotation,
    /// The projection of a CPU annotation on a stream. Not work.
    GpuAnnotation,
    /// Waiting of a stream, context or event. Not work.
    Sync,
    /// A recorded event on a stream. Not work.
    Marker,
    /// Cost of the profiler itself.
    Overhead,
    /// The whole capture, as Kineto writes it. Counts as nothing.
    Window,
    Async,
    Instant,
    Other,
}

impl Kind {
    /// In the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::Kernel,
        Self::Memcpy,
        Self::Memset,
        Self::CpuOp,
        Self::Runtime,
        Self::Driver,
        Self::Python,
        Self::Annotation,
        Self::GpuAnnotation,
        Self::Sync,
        Self::Marker,
        Self::Overhead,
        Self::Window,
        Self::Async,
        Self::Instant,
        Self::Other,
    ];

    /// Work of a GPU: what counts as busy.
    pub fn is_work(self) -> bool {
        matches!(self, Self::Kernel | Self::Memcpy | Self::Memset)
    }

    /// A call that can launch work.
    pub fn is_call(self) -> bool {
        matches!(self, Self::Runtime | Self::Driver)
    }

    /// What the word `cpu_spans` of the facts counts.
    pub fn is_cpu(self) -> bool {
        matches!(
            self,
            Self::CpuOp | Self::Runtime | Self::Driver | Self::Python | Self::Annotation
        )
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Memcpy => "memcpy",
            Self::Memset => "memset",
            Self::CpuOp => "op",
            Self::Runtime => "runtime call",
            Self::Driver => "driver call",
            Self::Python => "Python frame",
            Self::Annotation => "annotation",
            Self::GpuAnnotation => "GPU annotation",
            Self::Sync => "synchronization",
            Self::Marker => "event record",
            Self::Overhead => "profiler overhead",
            Self::Window => "capture window",
            Self::Async => "async span",
            Self::Instant => "instant",
            Self::Other => "span",
        }
    }
}

/// What is unusual about a span, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// The file gives a negative duration; held as 0.
    pub const NEGATIVE: Self = Self(1);
    /// The file gives no readable duration; held as 0.
    pub const NO_DURATION: Self = Self(2);
    /// Begun and never ended: held until the last time of the file.
    pub const OPEN: Self = Self(4);
    /// A later span of the stream starts and ends inside: a serial stream cannot do that.
    pub const IMPOSSIBLE: Self = Self(8);
    /// The arguments name a collective, so this is communication whatever its name says.
    pub const COLLECTIVE: Self = Self(16);
    /// A node of a CUDA or HIP graph: shares its launch with others.
    pub const GRAPH_NODE: Self = Self(32);
    /// Written as a begin and an end.
    pub const FROM_EDGES: Self = Self(64);

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
