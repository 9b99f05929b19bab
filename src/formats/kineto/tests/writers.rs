//! One small file as each writer writes it (formats.md 2 and 3), and what it says.

use crate::model::{Issue, RankId, Role};

use super::reading::{document, issues, only, read, spans};

fn counters(text: &str) -> Vec<String> {
    let trace = only(text);
    let line = |it: &crate::model::Counter| {
        let times: Vec<i64> = it.times.iter().map(|it| it.0).collect();
        format!("{} {times:?} {:?}", trace.names().text(it.name), it.values)
    };
    trace.counters().iter().map(line).collect()
}

#[test]
fn pytorch_1_8_with_capitalized_categories_and_rows_named_by_text() {
    let trace = only(document(&[
        r#"{"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 11, "tid": "11", "ts": 1623143567000100, "dur": 40, "args": {"External id": 2}}"#,
        r#"{"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 11, "tid": "11", "ts": 1623143567000110, "dur": 5, "args": {"correlation": 9}}"#,
        r#"{"ph": "s", "id": 9, "pid": 11, "tid": "11", "ts": 1623143567000110, "cat": "async", "name": "launch"}"#,
        r#"{"ph": "X", "cat": "Kernel", "name": "gemm", "pid": 0, "tid": "stream 7", "ts": 1623143567000130, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 9}}"#,
        r#"{"ph": "f", "id": 9, "pid": 0, "tid": "stream 7", "ts": 1623143567000130, "cat": "async", "name": "launch", "bp": "e"}"#,
        r#"{"ph": "X", "cat": "Memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": "stream 7", "ts": 1623143567000160, "dur": 2, "args": {"device": 0, "memory bandwidth (GB/s)": "N/A"}}"#,
        r#"{"ph": "X", "cat": "Memset", "name": "Memset", "pid": 0, "tid": "stream 7", "ts": 1623143567000170, "dur": 1, "args": {"device": 0}}"#,
        r#"{"ph": "X", "cat": "User", "name": "ProfilerStep#1", "pid": 11, "tid": "11", "ts": 1623143567000090, "dur": 99}"#,
    ]));
    let at = 1_623_143_567_000_000_000_i64;
    let want = [
        format!("work g0 0/7: gemm kernel {}+20000", at + 130_000),
        format!("work g0 0/7: Memcpy HtoD memcpy {}+2000", at + 160_000),
        format!("work g0 0/7: Memset memset {}+1000", at + 170_000),
        format!("cpu 11/11: ProfilerStep#1 annotation {}+99000", at + 90_000),
        format!("cpu 11/11: aten::mm op {}+40000", at + 100_000),
        format!(
            "cpu 11/11: cudaLaunchKernel runtime call {}+5000",
            at + 110_000
        ),
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(
        (trace.head().epoch_ns, trace.head().tick_ns),
        (Some(0), 1000)
    );
    assert_eq!(
        (trace.ties().linked_count, trace.ties().arrows_paired),
        (1, 1)
    );
}

#[test]
fn the_old_autograd_exporter_writes_a_bare_list_with_processes_named_by_text() {
    let trace = only(
        r#"[{"name": "mm", "ph": "X", "ts": 1.5, "dur": 40.25, "tid": 0, "pid": "CPU functions", "args": {}},
            {"name": "gemm", "ph": "X", "ts": 20, "dur": 8, "tid": 0, "pid": "CUDA functions", "args": {}},
            {"name": "mm", "ph": "s", "ts": 1.5, "tid": 0, "pid": "CPU functions", "id": 1, "cat": "cpu_to_cuda", "args": {}},
            {"name": "gemm", "ph": "f", "ts": 20, "tid": 0, "pid": "CUDA functions", "id": 1, "cat": "cpu_to_cuda", "args": {}}]"#,
    );
    let want = [
        "cpu CPU functions/0: mm span 1500+40250",
        "cpu CUDA functions/0: gemm span 20000+8000",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(
        (trace.head().writer, trace.head().epoch_ns),
        ("Chrome trace", None)
    );
}

#[test]
fn a_base_time_before_and_after_the_events_places_them_alike() {
    let events = r#""traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 150.416, "dur": 61.3, "args": {"device": 0}}]"#;
    let base = r#""baseTimeNanoseconds": 1790857026000000000"#;
    for text in [
        format!("\n{{\"schemaVersion\": 1, {base}, {events}, \"traceName\": \"x\"}}"),
        format!("\n{{\"schemaVersion\": 1, {events}, {base}}}"),
        format!("{{{events}, \"baseTimeNanoseconds\": \"1790857026000000000\"}}"),
    ] {
        let trace = only(&text);
        assert_eq!(spans(&trace), ["work g0 0/7: k kernel 150416+61300"]);
        assert_eq!(trace.head().epoch_ns, Some(1_790_857_026_000_000_000));
        assert!(trace.head().has_base_time);
        assert_eq!((trace.head().writer, trace.head().tick_ns), ("Kineto", 1));
    }
    let relative = only(format!("{{{events}}}"));
    assert_eq!(relative.head().epoch_ns, None);
    let unreadable = only(format!("{{{events}, \"baseTimeNanoseconds\": \"soon\"}}"));
    assert_eq!(issues(&unreadable), ["bad-base-time: 1"]);
    assert_eq!(unreadable.head().epoch_ns, None);
}

#[test]
fn rocm_devices_do_not_start_at_0_and_have_no_name() {
    let text = r#"{"schemaVersion": 1, "roctracer_version": 4.1, "hip_runtime_version": 60443483,
        "deviceProperties": [{"id": 0, "name": "", "totalGlobalMem": 206141652992}],
        "distributedInfo": {"backend": "nccl", "rank": "2", "world_size": 8},
        "traceEvents": [
        {"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 26, "tid": 26, "ts": 1.000, "dur": 2.000, "args": {"cid": 211, "correlation": 5, "kernel": "gemm"}},
        {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 2, "tid": 0, "ts": 5.001, "dur": 3.000, "args": {"device": 2, "stream": 0, "correlation": 5, "kind": "Dispatch Kernel", "hsa_queue": 1}},
        {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Host -> Device)", "pid": 2, "tid": 0, "ts": 9.001, "dur": 1.000, "args": {"device": 2, "stream": 0, "correlation": 6, "bytes": "4096"}}
        ]}"#;
    let trace = only(text);
    let want = [
        "work g2 2/0: gemm kernel 5001+3000",
        "work g2 2/0: Memcpy HtoD (Host -> Device) memcpy 9001+1000",
        "cpu 26/26: hipLaunchKernel runtime call 1000+2000",
    ];
    assert_eq!(spans(&trace), want);
    let head = trace.head();
    assert_eq!((head.rank, head.world_size), (Some(RankId(2)), Some(8)));
    assert_eq!(
        (head.gpus[0].name.as_deref(), head.software[0].as_str()),
        (None, "ROCm 6.4")
    );
    assert_eq!(trace.devices(), [2]);
    assert_eq!(issues(&trace), ["missing-launch: 1"]);
}

#[test]
fn jax_names_its_gpus_and_streams_in_metadata_and_gives_no_category() {
    let trace = only(
        r#"{"displayTimeUnit": "ns", "metadata": {"highres-ticks": true}, "traceEvents": [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
        {"ph": "M", "pid": 1, "tid": 16, "name": "thread_name", "args": {"name": "Stream #16(Kernel)"}},
        {"ph": "M", "pid": 1, "tid": 17, "name": "thread_name", "args": {"name": "Stream #17(MemcpyH2D)"}},
        {"ph": "M", "pid": 1, "tid": 40, "name": "thread_name", "args": {"name": "XLA Modules"}},
        {"ph": "M", "pid": 701, "name": "process_name", "args": {"name": "/host:CPU"}},
        {"ph": "X", "pid": 1, "tid": 16, "ts": 10.5, "dur": 4.25, "name": "fusion", "args": {"correlation_id": "9"}},
        {"ph": "X", "pid": 1, "tid": 17, "ts": 2, "dur": 1, "name": "MemcpyH2D"},
        {"ph": "X", "pid": 1, "tid": 40, "ts": 1, "dur": 20, "name": "jit_step"},
        {"ph": "X", "pid": 701, "tid": 9, "ts": 0, "dur": 30, "name": "PjitFunction(step)"},
        {}]}"#,
    );
    let want = [
        "work g0 1/16: fusion kernel 10500+4250",
        "work g0 1/17: MemcpyH2D memcpy 2000+1000",
        "cpu 701/9: PjitFunction(step) span 0+30000",
        "other g0 1/40: jit_step span 1000+20000",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!((trace.tally().empty, trace.tally().labels), (1, 5));
    assert_eq!(trace.head().tick_ns, 1);
}

#[test]
fn rows_of_mtia_stand_apart_and_xpu_kernels_are_work() {
    let trace = only(document(&[
        r#"{"ph": "X", "cat": "mtia_ccp_events", "name": "fc", "pid": 100, "tid": 3, "ts": 5, "dur": 7, "args": {"device": 0}}"#,
        r#"{"ph": "X", "cat": "mtia_runtime", "name": "runJob", "pid": 9, "tid": 9, "ts": 1, "dur": 2, "args": {"correlation": 3}}"#,
        r#"{"ph": "X", "cat": "xpu_runtime", "name": "piEnqueueKernel", "pid": 9, "tid": 9, "ts": 4, "dur": 2, "args": {"correlation": 4}}"#,
        r#"{"ph": "X", "cat": "kernel", "name": "gemm_kernel", "pid": 0, "tid": 1, "ts": 8, "dur": 3, "args": {"device": 0, "correlation": 4, "sycl queue": "0x55"}}"#,
        r#"{"ph": "X", "cat": "hpu_op", "name": "matmul", "pid": 7, "tid": 1, "ts": 8, "dur": 3}"#,
    ]));
    let want = [
        "work g0 0/1: gemm_kernel kernel 8000+3000",
        "cpu 9/9: runJob runtime call 1000+2000",
        "cpu 9/9: piEnqueueKernel runtime call 4000+2000",
        "other 7/1: matmul span 8000+3000",
        "other 100/3: fc span 5000+7000",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(trace.ties().linked_count, 1);
}

#[test]
fn a_b200_file_without_metadata_is_labeled_by_its_arguments() {
    let trace = only(document(&[
        r#"{"ph": "X", "cat": "kernel", "name": "k", "pid": 3, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 3, "stream": 7}}"#,
        r#"{"ph": "X", "cat": "overhead", "name": "Buffer Flush", "pid": -1, "tid": 0, "ts": 2, "dur": 1}"#,
        r#"{"ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 3, "tid": 7, "ts": 0.999, "dur": 1.002, "args": {"device": 3, "stream": 7}}"#,
        r#"{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 3, "tid": 1000007, "ts": 1, "dur": 1, "args": {"device": 3, "stream": 7}}"#,
        r#"{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 0, "dur": 9}"#,
        r#"{"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 9}"#,
    ]));
    let want = [
        "work g3 3/7: k kernel 1000+1000",
        "annotation g3 3/7: step GPU annotation 999+1002",
        "sync g3 3/1000007: Stream Sync synchronization 1000+1000",
        "overhead -1/0: Buffer Flush profiler overhead 2000+1000",
        "overhead /: Record Window End instant 9000+0",
        "overhead Spans/PyTorch Profiler: PyTorch Profiler (0) capture window 0+9000",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(
        trace.track(crate::model::TrackId::from_index(0)).label,
        None
    );
}

#[test]
fn begins_and_ends_of_one_thread_nest() {
    let trace = only(
        r#"[{"ph": "B", "name": "outer", "cat": "io", "pid": "worker", "tid": 1, "ts": "10"},
            {"ph": "B", "name": "inner", "pid": "worker", "tid": 1, "ts": 12},
            {"ph": "B", "name": "elsewhere", "pid": "worker", "tid": 2, "ts": 13},
            {"ph": "E", "pid": "worker", "tid": 1, "ts": 14},
            {"ph": "E", "pid": "worker", "tid": 2, "ts": 20},
            {"ph": "E", "pid": "worker", "tid": 1, "ts": "35.5"}]"#,
    );
    let want = [
        "cpu worker/1: outer span 10000+25500",
        "cpu worker/1: inner span 12000+2000",
        "cpu worker/2: elsewhere span 13000+7000",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(issues(&trace), ["string-number: 2"]);
    assert_eq!(trace.tally().edges, 6);
}

#[test]
fn async_spans_are_paired_by_category_and_id() {
    let trace = only(
        r#"[{"ph": "b", "cat": "req", "id": "0x1f", "name": "A", "pid": 1, "tid": 1, "ts": 1},
            {"ph": "b", "cat": "req", "id": 2, "name": "B", "pid": 1, "tid": 1, "ts": 2},
            {"ph": "n", "cat": "req", "id": 2, "name": "mark", "pid": 1, "tid": 1, "ts": 3},
            {"ph": "b", "cat": "other", "id": 2, "name": "C", "pid": 1, "tid": 1, "ts": 3},
            {"ph": "e", "cat": "req", "id": "0x1f", "name": "A", "pid": 1, "tid": 1, "ts": 5},
            {"ph": "e", "cat": "req", "id": 2, "name": "B", "pid": 1, "tid": 1, "ts": 9}]"#,
    );
    let want = [
        "cpu 1/1: mark instant 3000+0",
        "async 1/1: A async span 1000+4000",
        "async 1/1: B async span 2000+7000",
        "async 1/1: C async span 3000+6000",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(issues(&trace), ["unbalanced-begin: 1"]);
    let lanes: Vec<u16> = trace.tracks().iter().map(|it| it.lane_count).collect();
    assert_eq!(lanes, [1, 3]);
}

#[test]
fn counters_give_one_series_for_each_key_and_id() {
    let text = document(&[
        r#"{"ph": "C", "name": "queue", "pid": "worker", "tid": 0, "ts": 20, "args": {"waiting": 3, "running": "12"}}"#,
        r#"{"ph": "C", "name": "queue", "pid": "worker", "tid": 0, "ts": 10, "args": {"waiting": 2.5, "note": "n/a"}}"#,
        r#"{"ph": "C", "name": "queue", "pid": "worker", "id": 7, "ts": 11, "args": {"waiting": 1}}"#,
        r#"{"ph": "C", "cat": "hardware_counters", "name": "Power (W)", "pid": "GPU 0 Counters", "tid": 0, "ts": 5.25, "args": {"": 310.5}}"#,
        r#"{"ph": "C", "name": "lost", "pid": "worker", "args": {"waiting": 1}}"#,
    ]);
    let want = [
        "Power (W) [5250] [310.5]",
        "queue running [20000] [12.0]",
        "queue waiting [10000, 20000] [2.5, 3.0]",
        "queue waiting 7 [11000] [1.0]",
    ];
    assert_eq!(counters(&text), want);
    assert_eq!(issues(&only(&text)), ["missing-time: 1"]);
}

#[test]
fn a_memory_event_gives_levels_for_each_device() {
    let event = |ts: u32, device: &str, rest: &str| {
        format!(
            r#"{{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 4, "tid": 4, "ts": {ts}, "args": {{{device}, "Addr": 18446744073709551615, {rest}}}}}"#
        )
    };
    let gpu = r#""Device Type": 1, "Device Id": 2"#;
    let events = [
        event(3, gpu, r#""Bytes": -50"#),
        event(
            1,
            gpu,
            r#""Bytes": 100, "Total Allocated": 300, "Total Reserved": 900"#,
        ),
        event(
            2,
            r#""Device Type": 0, "Device Id": -1"#,
            r#""Bytes": 8, "Total Allocated": 8"#,
        ),
    ];
    let text = document(&events.iter().map(String::as_str).collect::<Vec<_>>());
    let want = [
        "CPU memory allocated [2000] [8.0]",
        "GPU memory allocated [1000, 3000] [300.0, 250.0]",
        "GPU memory reserved [1000] [900.0]",
    ];
    assert_eq!(counters(&text), want);
    assert_eq!(issues(&only(&text)), ["memory-total-missing: 1"]);
    assert_eq!(only(&text).counters()[1].device, Some(2));
}

#[test]
fn the_python_exporter_writes_one_event_a_line() {
    let trace = only(concat!(
        "{\"schemaVersion\":1,\"baseTimeNanoseconds\":7889238000000000,\"traceEvents\":[\n",
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"训练\",\"pid\":1,\"tid\":1,\"ts\":2.001,\"dur\":0.5,\"args\":{\"External id\":1}},\n",
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\\\"b\\\\c\",\"pid\":0,\"tid\":7,\"ts\":3.000,\"dur\":1.000,\"args\":{\"device\":0}}\n",
        "],\"traceName\":\"/home/x\"}"
    ));
    let want = [
        "work g0 0/7: a\"b\\c kernel 3000+1000",
        "cpu 1/1: 训练 op 2001+500",
    ];
    assert_eq!(spans(&trace), want);
    assert!(trace.ledger().is_empty(), "{:?}", issues(&trace));
}

#[test]
fn one_document_a_line_is_read_as_one_trace() {
    let trace = only(concat!(
        "{\"displayTimeUnit\": \"us\", \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\", \"pid\": 0, \"tid\": 1, \"ts\": 1, \"dur\": 1, \"args\": {\"device\": 0}}]}\n",
        "{\"displayTimeUnit\": \"us\", \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"b\", \"pid\": 0, \"tid\": 1, \"ts\": 3, \"dur\": 1, \"args\": {\"device\": 0}}]}\n",
    ));
    let want = [
        "work g0 0/1: a kernel 1000+1000",
        "work g0 0/1: b kernel 3000+1000",
    ];
    assert_eq!(spans(&trace), want);
    assert!(trace.ledger().is_empty(), "{:?}", issues(&trace));
}

#[test]
fn a_file_merged_by_sglang_is_a_trace_for_each_rank() {
    let event = |pid: &str, cat: &str, tid: u32, ts: u32| {
        format!(
            r#"{{"ph": "X", "cat": "{cat}", "name": "{cat}", "pid": "{pid}", "tid": {tid}, "ts": {ts}, "dur": 1, "args": {{"device": 0, "correlation": 5}}}}"#
        )
    };
    let events = [
        event("[TP00] 4711", "cuda_runtime", 9, 1),
        event("[TP01] 4712", "cuda_runtime", 9, 2),
        event("[TP00] 0", "kernel", 7, 11),
        event("[TP01] 0", "kernel", 7, 12),
    ];
    let text = document(&events.iter().map(String::as_str).collect::<Vec<_>>());
    let traces = read(&text).unwrap();
    let ranks: Vec<_> = traces.iter().map(|it| it.head().rank).collect();
    assert_eq!(ranks, [Some(RankId(0)), Some(RankId(1))]);
    for (trace, start) in traces.iter().zip([11_000, 12_000]) {
        assert_eq!(trace.ties().linked_count, 1);
        let (_, work) = trace.work_tracks().next().unwrap();
        let first = work.span_ids().next().unwrap();
        assert_eq!(trace.span(first).start.0, start);
        assert_eq!(work.key.role, Role::Work);
    }
}

#[test]
fn ranks_of_a_merged_file_are_told_by_all_their_groups() {
    let event = |label: &str| {
        format!(
            r#"{{"ph": "X", "cat": "kernel", "name": "k", "pid": "[{label}] 0", "tid": 7, "ts": 1, "dur": 1, "args": {{"device": 0}}}}"#
        )
    };
    let events = ["TP00-DP00", "TP01-DP00", "TP00-DP01", "TP01-DP01"].map(event);
    let traces = read(document(&events.each_ref().map(String::as_str))).unwrap();
    let ranks: Vec<_> = traces.iter().filter_map(|it| it.head().rank).collect();
    assert_eq!(ranks, [0, 1, 2, 3].map(RankId));
}

#[test]
fn a_daemon_writes_its_rank_before_the_events_and_its_groups_behind() {
    let trace = only(
        r#"{"distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8}, "traceEvents": [
        {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}],
        "distributedInfo": {"backend": "nccl", "pg_count": "1", "ranks": "[0, 1]", "nccl_version": "unknown"}}"#,
    );
    assert_eq!(trace.head().rank, Some(RankId(3)));
    assert_eq!(trace.head().world_size, Some(8));
    assert_eq!(issues(&trace), ["duplicate-key: 1"]);
}

#[test]
fn keys_may_come_in_any_order_and_times_as_text() {
    let trace = only(document(&[
        r#"{"args": {"device": "1", "correlation": "77"}, "dur": "2.5", "ts": "1e1", "tid": "7", "pid": "1", "name": "k", "cat": "KERNEL", "ph": "X"}"#,
        r#"{"tid": 3, "args": {"correlation": 77}, "ts": 4, "name": "launch", "dur": 1, "ph": "X", "cat": "cuda_driver"}"#,
    ]));
    let want = [
        "work g1 1/7: k kernel 10000+2500",
        "cpu 0/3: launch driver call 4000+1000",
    ];
    assert_eq!(spans(&trace), want);
    assert_eq!(trace.ledger().count(Issue::StringNumber), 1);
    assert_eq!(trace.ties().linked_count, 1);
}
