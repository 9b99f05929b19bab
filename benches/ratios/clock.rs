//! CPU time, which other programs on the machine do not lengthen as they do wall time.

use std::time::Duration;
use std::{fs, thread};

use rustix::time::{ClockId, clock_gettime};

/// CPU seconds of the whole process that `work` takes, all threads.
pub(crate) fn process_s<T>(work: impl FnOnce() -> T) -> (f64, T) {
    measured(ClockId::ProcessCPUTime, work)
}

/// CPU milliseconds of this thread that `work` takes.
pub(crate) fn thread_ms<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let (seconds, result) = measured(ClockId::ThreadCPUTime, work);
    (seconds * 1e3, result)
}

fn measured<T>(clock: ClockId, work: impl FnOnce() -> T) -> (f64, T) {
    let now = || {
        let time = clock_gettime(clock);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let before = now();
    let result = std::hint::black_box(work());
    (now() - before, result)
}

/// Private memory, in kB, that `work` adds at its highest and at its end.
pub(crate) fn peak_kb<T: Send>(work: impl FnOnce() -> T + Send) -> (f64, f64, T) {
    let before = private_kb();
    let mut peak = before;
    let result = thread::scope(|scope| {
        let working = scope.spawn(work);
        while !working.is_finished() {
            peak = f64::max(peak, private_kb());
            thread::sleep(Duration::from_millis(1));
        }
        working.join().unwrap()
    });
    (peak - before, private_kb() - before, result)
}

fn private_kb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|it| it.strip_prefix("RssAnon:"));
    let number = line.unwrap().split_whitespace().next().unwrap();
    number.parse().unwrap()
}

pub(crate) fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

/// The 95th of a hundred.
pub(crate) fn p95(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() * 95 / 100]
}
