//! Runs of a chosen size, made in memory: 64 rows of spans that lie as close as on a busy GPU.

use std::sync::Arc;

use warpline::base::Job;
use warpline::model::{
    Batch, Clock, Flags, Kind, Ledger, Member, NameId, RawSpan, Role, RowId, Run, TraceBuilder,
    TrackKey,
};
use warpline::workspace::Loaded;

const ROWS: usize = 64;
/// Nested depths of a thread.
const DEPTHS: usize = 8;
const NAMES: [&str; 8] = [
    "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn",
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
    "flash_fwd_kernel",
    "triton_poi_fused_add_mul_0",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(at::native::ReduceOp)",
    "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1>()",
    "aten::linear",
];

/// What the rows are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {
    /// Streams of one GPU.
    Streams,
    /// Depths of eight threads.
    Threads,
}

pub(crate) fn run(spans: usize, rows: Rows) -> Loaded {
    let mut builder = TraceBuilder::default();
    builder.expect_spans(spans);
    match rows {
        Rows::Streams => {
            for stream in 0..ROWS {
                builder.append(stream_of(stream, spans / ROWS));
            }
        }
        Rows::Threads => {
            for thread in 0..ROWS / DEPTHS {
                builder.append(thread_of(thread, spans * DEPTHS / ROWS));
            }
        }
    }
    let member = Member {
        trace: Arc::new(builder.finish(&Job::default()).unwrap()),
        rank: None,
        clock: Clock::default(),
        file: "made".to_owned(),
        bytes: 0,
    };
    let run = Run::from_members(
        "made".to_owned(),
        vec![member],
        Vec::new(),
        &Ledger::default(),
        None,
    );
    Loaded::from_run(run, &Job::default()).unwrap()
}

/// Bursts of kernels with gaps between them.
fn stream_of(stream: usize, count: usize) -> Batch {
    let mut batch = batch(Role::Work, stream);
    let (mut random, mut at) = (Random(stream as u64 + 1), 0);
    for i in 0..count {
        let dur = 500 + random.below(20_000);
        push(&mut batch, at, dur, Kind::Kernel, random.below(7));
        at += dur + random.below(2000);
        if i % 1000 == 999 {
            at += 2_000_000;
        }
    }
    batch
}

/// Calls in calls: each level holds one to four of the next.
fn thread_of(thread: usize, count: usize) -> Batch {
    let mut batch = batch(Role::Cpu, thread);
    let mut random = Random(thread as u64 + 1);
    let (mut at, mut left) = (0, count);
    while left > 0 {
        let whole = DEPTHS.min(left);
        left -= whole;
        for depth in 0..i64::try_from(whole).unwrap() {
            let (from, dur) = (at + depth * 200, 20_000 - depth * 2400);
            push(&mut batch, from, dur, Kind::CpuOp, random.below(8));
        }
        at += 20_000 + random.below(9000);
    }
    batch
}

fn batch(role: Role, thread: usize) -> Batch {
    let key = TrackKey {
        role,
        device: (role == Role::Work).then_some(0),
        process: RowId::Number(0),
        thread: RowId::Number(i64::try_from(thread).unwrap()),
    };
    Batch {
        names: NAMES.map(str::to_owned).to_vec(),
        tracks: vec![key],
        ..Batch::default()
    }
}

fn push(batch: &mut Batch, start: i64, dur: i64, kind: Kind, name: i64) {
    batch.spans.push(RawSpan {
        start,
        dur,
        name: NameId::from_index(usize::try_from(name).unwrap()),
        track: 0,
        kind,
        flags: Flags::default(),
        at: 0,
    });
}

/// The same numbers every time (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, most: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from(self.0 >> 1).unwrap() % most
    }
}
