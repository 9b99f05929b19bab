//! The bar at the bottom: what is selected or under the pointer, and the keys that work.

use egui::{Align, Label, Layout, RichText, Ui};

use crate::base::text;
use crate::ui::panel::Cx;

pub(crate) fn status_bar_ui(ui: &mut Ui, cx: &Cx<'_>, hovered: Option<&str>) {
    let muted = |it: &str| {
        RichText::new(it)
            .size(cx.theme.sizes.text.small)
            .color(cx.theme.text.muted)
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if cx.open.is_some() {
            ui.label(muted("W S zoom   A D pan   0 whole run   F fit selection   . , next on lane   ] [ launch"));
        } else {
            ui.label(muted("Nothing leaves this machine"));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let left = cx.notice.map(str::to_owned).or_else(|| hovered.map(str::to_owned)).unwrap_or_else(|| rest(cx));
            ui.add(Label::new(muted(&left)).truncate());
        });
    });
}

fn rest(cx: &Cx<'_>) -> String {
    let Some(open) = &cx.open else {
        return format!("Warpline {}", env!("CARGO_PKG_VERSION"));
    };
    let run = open.workspace.run();
    if let Some(at) = open.view.selection() {
        let name = crate::model::visible(run.short_name(run.name_of(at))).into_owned();
        return format!(
            "Selected {name} on {}, {}",
            run.title(at.trace),
            text::duration(run.span(at).dur.0)
        );
    }
    let work: u64 = run
        .members()
        .iter()
        .map(|it| {
            it.trace
                .work_tracks()
                .map(|it| it.1.len() as u64)
                .sum::<u64>()
        })
        .sum();
    format!(
        "{} lanes · {}",
        open.view.lanes().len(),
        text::plural(work, "GPU span", "GPU spans")
    )
}
