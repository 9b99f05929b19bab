//! A line under the top bar for what a whole run lacks, so that nobody looks for it in the lanes.

use egui::{Sense, Ui, vec2};

use crate::base::text;
use crate::model::{Role, Run, Severity};
use crate::ui::marks::severity_mark;
use crate::ui::panel::Cx;
use crate::ui::parts::{elided_ui, small};

/// Height of the line.
pub(crate) const BANNER_HEIGHT: f32 = 24.0;

/// What the run lacks, with the likely reason; nothing where it has GPU activity.
pub(crate) fn lack(run: &Run) -> Option<String> {
    let members = run.members();
    if members.is_empty() || members.iter().any(|it| !it.trace.devices().is_empty()) {
        return None;
    }
    let what = match members.len() {
        1 => "This trace has no GPU activity",
        _ => "These traces have no GPU activity",
    };
    let launches: u64 = members.iter().map(|it| it.trace.ties().launch_count).sum();
    let has_other_rows = members.iter().any(|it| {
        let mut tracks = it.trace.tracks().iter();
        tracks.any(|it| it.key.role == Role::Other)
    });
    let why = if has_other_rows {
        "what another accelerator did stands in the other rows"
    } else if launches > 0 {
        "likely a missing permission, or another profiler had the GPU"
    } else {
        "likely only the CPU was profiled, or the job used no GPU"
    };
    let launches = text::plural(launches, "launch", "launches");
    Some(format!("{what}: {launches}, 0 GPU spans, {why}"))
}

/// Needs [`BANNER_HEIGHT`].
pub(crate) fn banner_ui(ui: &mut Ui, cx: &Cx<'_>, sentence: &str) {
    ui.horizontal_centered(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        severity_mark(ui.painter(), rect.center(), Severity::Medium, cx.theme);
        elided_ui(ui, small(sentence, cx.theme.text.primary));
    });
}
