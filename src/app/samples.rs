//! Runs that are built in, so that the first click shows something. Made by simulation; their answers
//! stand in `sample-traces/README.md`.

use std::path::PathBuf;

use crate::ui::Sample;

/// What the start screen lists.
pub(crate) const SAMPLES: &[Sample] = &[
    Sample {
        name: "Training, 4 ranks",
        says: "data parallel; the data loader stalls rank 1 in one step",
    },
    Sample {
        name: "Pipeline, 4 stages",
        says: "1F1B; stage 2 is slow",
    },
    Sample {
        name: "Serving",
        says: "iterations of an LLM server",
    },
];

const TRAINING: &[(&str, &[u8])] = &[
    (
        "rank0.pt.trace.json.gz",
        include_bytes!("../../sample-traces/train-4rank/rank0.pt.trace.json.gz"),
    ),
    (
        "rank1.pt.trace.json.gz",
        include_bytes!("../../sample-traces/train-4rank/rank1.pt.trace.json.gz"),
    ),
    (
        "rank2.pt.trace.json.gz",
        include_bytes!("../../sample-traces/train-4rank/rank2.pt.trace.json.gz"),
    ),
    (
        "rank3.pt.trace.json.gz",
        include_bytes!("../../sample-traces/train-4rank/rank3.pt.trace.json.gz"),
    ),
];

const PIPELINE: &[(&str, &[u8])] = &[
    (
        "rank0.pt.trace.json.gz",
        include_bytes!("../../sample-traces/pipeline-4stage/rank0.pt.trace.json.gz"),
    ),
    (
        "rank1.pt.trace.json.gz",
        include_bytes!("../../sample-traces/pipeline-4stage/rank1.pt.trace.json.gz"),
    ),
    (
        "rank2.pt.trace.json.gz",
        include_bytes!("../../sample-traces/pipeline-4stage/rank2.pt.trace.json.gz"),
    ),
    (
        "rank3.pt.trace.json.gz",
        include_bytes!("../../sample-traces/pipeline-4stage/rank3.pt.trace.json.gz"),
    ),
];

const SERVING: &[(&str, &[u8])] = &[(
    "rank0.pt.trace.json.gz",
    include_bytes!(
        "../../sample-traces/serving/dp0_pp0_tp0_dcp0_ep0_rank0.1783067032508462611.pt.trace.json.gz"
    ),
)];

/// Writes the files of a built-in run into a folder that lives as long as the guard.
pub(crate) fn sample_paths(name: &str) -> std::io::Result<(tempfile::TempDir, PathBuf)> {
    let (stem, files) = match name {
        "Training, 4 ranks" => ("train-4rank", TRAINING),
        "Pipeline, 4 stages" => ("pipeline-4stage", PIPELINE),
        _ => ("serving", SERVING),
    };
    let folder = tempfile::tempdir()?;
    let run = folder.path().join(stem);
    std::fs::create_dir(&run)?;
    for (file, bytes) in files {
        std::fs::write(run.join(file), bytes)?;
    }
    Ok((folder, run))
}
