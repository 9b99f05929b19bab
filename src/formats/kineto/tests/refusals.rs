//! JSON that is no trace: one sentence that says what it is and what to do.

use super::reading::read;

fn refused(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn answers_of_prometheus_say_what_they_are() {
    let error = refused(
        r#"{"status":"error","errorType":"bad_data","error":"1:1: parse error: unexpected end"}"#,
    );
    assert_eq!(
        error,
        "this is an error that Prometheus answered, not a trace. It holds no data; open the trace that was recorded on the server: trace.json"
    );
    for text in [
        r#"{"status":"success","data":{"resultType":"matrix","result":[]}}"#,
        r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"up"},"value":[1,"1"]}]}}"#,
        r#"{"data":{"resultType":"matrix","result":[]},"status":"success","warnings":["x"]}"#,
    ] {
        assert_eq!(
            refused(text),
            "this is an answer of Prometheus to a query, not a trace. Metrics are not read yet; open the trace that was recorded on the server: trace.json"
        );
    }
    assert!(
        refused(r#"[{"metric": {"__name__": "up"}, "values": [[1, "1"]]}]"#).contains("metrics")
    );
}

#[test]
fn advice_never_leads_to_a_format_that_is_not_read() {
    let rocprof = refused(r#"{"rocprofiler-sdk-tool": [{"metadata": {"pid": 1}}]}"#);
    assert!(
        rocprof.contains("rocprofv3") && rocprof.contains("PyTorch"),
        "{rocprof}"
    );
    for said in [rocprof, refused("[[1, 2], [3]]"), refused("[1]")] {
        assert!(!said.contains("pftrace"), "{said}");
    }
}
