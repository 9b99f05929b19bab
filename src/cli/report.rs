//! `warpline report`: what a person wants to know first.

use std::fmt::Write as _;

use crate::analysis::{GpuActivity, activity, kernels};
use crate::base::{Cancelled, Job, TimeRange, text};
use crate::model::{Issue, Run, visible};
use crate::workspace::Workspace;

/// Names in the list of kernels, and their letters.
const KERNELS_SHOWN: usize = 15;
const NAME_CHARS: usize = 60;

/// Faults of a file as a whole, which are said beside its name.
const OF_THE_FILE: [Issue; 6] = [
    Issue::TruncatedJson,
    Issue::TruncatedGzip,
    Issue::DamagedGzip,
    Issue::TruncatedZstd,
    Issue::DamagedZstd,
    Issue::DamagedArchive,
];

/// The report as text.
pub(crate) fn report(workspace: &Workspace, job: &Job) -> Result<String, Cancelled> {
    let run = workspace.run();
    let mut out = String::new();
    // Writing into a text cannot fail.
    write_head(&mut out, workspace).ok();
    write_gpus(&mut out, run, &activity(run, job)?).ok();
    write_kernels(&mut out, run, job)?.ok();
    write_ledger(&mut out, run).ok();
    Ok(out)
}

fn write_head(out: &mut String, workspace: &Workspace) -> std::fmt::Result {
    let run = workspace.run();
    writeln!(out, "{}", visible(run.name()))?;
    let ranks = run.ranks().len() as u64;
    let spans: u64 = run
        .members()
        .iter()
        .map(|it| it.trace.spans().len() as u64)
        .sum();
    let mut line = vec![text::plural(run.members().len() as u64, "trace", "traces")];
    if ranks > 0 {
        line.push(text::plural(ranks, "rank", "ranks"));
    }
    line.push(text::plural(spans, "span", "spans"));
    line.push(text::duration(run.extent().len().0));
    if !workspace.steps().is_empty() {
        line.push(text::plural(
            workspace.steps().len() as u64,
            "step",
            "steps",
        ));
    }
    writeln!(out, "{}", line.join(" · "))?;
    if let Some(epoch) = run.epoch_ns() {
        writeln!(out, "begins {}", text::utc(epoch))?;
    }
    if run.island_count() > 1 {
        writeln!(
            out,
            "clocks not aligned: {} clocks, positions across them mean nothing",
            run.island_count()
        )?;
    }
    writeln!(out, "\nFiles")?;
    for (id, member) in run.trace_ids().zip(run.members()) {
        let head = member.trace.head();
        let software = head.software.join(", ");
        let rank = member
            .rank
            .map_or_else(|| "no rank".to_owned(), |it| format!("rank {}", it.0));
        writeln!(
            out,
            "  {rank:<9} {:>9}  {} {software}  {}",
            text::bytes(member.bytes),
            head.writer,
            visible(&member.file)
        )?;
        if run.trace(id).devices().is_empty() {
            writeln!(
                out,
                "            no GPU activity was recorded: {} and no GPU span",
                text::plural(member.trace.ties().launch_count, "launch", "launches")
            )?;
        }
        let faults = OF_THE_FILE
            .iter()
            .filter(|it| member.trace.ledger().count(**it) > 0);
        for issue in faults {
            writeln!(out, "            {}: {}", issue.says(1), issue.done())?;
        }
    }
    for absent in run.absent() {
        let what = if absent.is_ignored {
            "passed over"
        } else {
            "not loaded"
        };
        // A sentence about a file ends with its path, one about a member of an archive does not.
        if absent.reason.contains(&absent.file) {
            writeln!(out, "  {what}: {}", visible(&absent.reason))?;
        } else {
            let (file, reason) = (visible(&absent.file), visible(&absent.reason));
            writeln!(out, "  {what}: {file}: {reason}")?;
        }
    }
    Ok(())
}

fn write_gpus(out: &mut String, run: &Run, gpus: &[GpuActivity]) -> std::fmt::Result {
    writeln!(out, "\nGPUs")?;
    if gpus.is_empty() {
        return writeln!(
            out,
            "  busy time is not available: no GPU span was recorded"
        );
    }
    writeln!(
        out,
        "  {:<24} {:>8} {:>7} {:>11} {:>11} {:>11} {:>13} {:>6}",
        "", "spans", "busy %", "busy", "compute", "comm", "exposed comm", "gaps"
    )?;
    for gpu in gpus {
        // Where durations cannot be, the clipped figures come first and the written ones below.
        let shown = gpu.clipped.as_ref().unwrap_or(&gpu.figures);
        let spans: u64 = gpu.streams.iter().map(|it| it.span_count as u64).sum();
        let mark = if gpu.clipped.is_some() {
            " clipped"
        } else {
            ""
        };
        let title = format!("{} GPU {}{mark}", run.title(gpu.trace), gpu.device);
        let mut rows = vec![(title, shown)];
        if gpu.clipped.is_some() {
            rows.push(("  as written".to_owned(), &gpu.figures));
        }
        for (title, it) in rows {
            let wall = it.wall.map_or(0, |it| it.len().0);
            let busy = if wall > 0 {
                text::percent(it.busy.0 as f64 / wall as f64)
            } else {
                "–".to_owned()
            };
            let cut: String = title.chars().take(24).collect();
            writeln!(
                out,
                "  {cut:<24} {:>8} {busy:>7} {:>11} {:>11} {:>11} {:>13} {:>6}",
                text::grouped(spans),
                text::duration(it.busy.0),
                text::duration(it.compute.0),
                text::duration(it.communication.0),
                text::duration(it.exposed_communication.0),
                it.gaps.len(),
            )?;
        }
        if let Some(longest) = shown.gaps.iter().max_by_key(|it| it.len()) {
            let at = run.run_time(gpu.trace, longest.start);
            writeln!(
                out,
                "  {:<24} longest gap {} at {}",
                "",
                text::duration(longest.len().0),
                text::duration(at.0)
            )?;
        }
    }
    Ok(())
}

fn write_kernels(out: &mut String, run: &Run, job: &Job) -> Result<std::fmt::Result, Cancelled> {
    let rows = kernels(run, job)?;
    if rows.is_empty() {
        return Ok(Ok(()));
    }
    let total: f64 = rows.iter().map(|it| it.sum.0 as f64).sum();
    let mut list = || -> std::fmt::Result {
        writeln!(out, "\nGPU work by name, longest first")?;
        for row in rows.iter().take(KERNELS_SHOWN) {
            let name: String = visible(run.short_name(row.name))
                .chars()
                .take(NAME_CHARS)
                .collect();
            let share = text::percent(row.sum.0 as f64 / total.max(1.0));
            let mark = if row.impossible_count > 0 {
                "  impossible durations"
            } else {
                ""
            };
            writeln!(
                out,
                "  {:>10} {share:>5} % {:>8} × {:<14} {name}{mark}",
                text::duration(row.sum.0),
                text::grouped(row.count),
                row.class.word()
            )?;
        }
        if rows.len() > KERNELS_SHOWN {
            writeln!(out, "  and {} more names", rows.len() - KERNELS_SHOWN)?;
        }
        Ok(())
    };
    Ok(list())
}

fn write_ledger(out: &mut String, run: &Run) -> std::fmt::Result {
    let mut tally = crate::model::Tally::default();
    for member in run.members() {
        tally.add(member.trace.tally());
    }
    writeln!(out, "\nImport ledger")?;
    writeln!(
        out,
        "  {} elements read = {} kept + {} counted",
        text::grouped(tally.read),
        text::grouped(tally.kept()),
        text::grouped(tally.counted)
    )?;
    for (issue, entry) in run.ledger().entries() {
        let place = entry.first_at.map_or_else(String::new, |it| {
            format!(", first at byte {}", text::grouped(it))
        });
        let what = if entry.count == 1 {
            issue.says(1).to_owned()
        } else {
            format!("{} {}", text::grouped(entry.count), issue.says(entry.count))
        };
        writeln!(
            out,
            "  {:<7} {:<22} {what}{place}: {}",
            issue.severity().word(),
            issue.word(),
            issue.done()
        )?;
    }
    if run.ledger().is_empty() {
        writeln!(out, "  nothing was wrong with the input")?;
    }
    Ok(())
}

/// Reads `12.5ms..40ms` from the run's start, or `step:13`.
pub(crate) fn range_of(text: &str, workspace: &Workspace) -> Option<TimeRange> {
    if let Some(number) = text.strip_prefix("step:") {
        let number: u64 = number.trim().parse().ok()?;
        return workspace
            .steps()
            .iter()
            .find(|it| it.number == number)
            .map(|it| it.range);
    }
    let (from, to) = text.split_once("..")?;
    let range = TimeRange::new(time_of(from)?, time_of(to)?);
    (!range.is_empty()).then_some(range)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the range is checked before"
)]
fn time_of(text: &str) -> Option<crate::base::Time> {
    let text = text.trim();
    let split = text.find(|it: char| it.is_alphabetic())?;
    let (number, unit) = text.split_at(split);
    let scale = match unit {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let ns = number.trim().parse::<f64>().ok()? * scale;
    (ns.is_finite() && ns.abs() < 9e18).then_some(crate::base::Time(ns as i64))
}
