//! The key: what the colors of bars and bands stand for.

use egui::{Color32, Rect, Sense, Ui, pos2, vec2};

use crate::ui::panel::Cx;
use crate::ui::parts::{line_ui, small, title};
use crate::ui::theme::Theme;

/// Points of a column of entries, and of an entry.
const COLUMN: f32 = 204.0;
const ENTRY: f32 = 18.0;

type Entries = Vec<(&'static str, Color32)>;

/// The groups of the key, each a column, as many as the width holds.
pub(super) fn key_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let theme = cx.theme;
    let room = ui.available_rect_before_wrap();
    let mut left = room.left();
    for (heading, entries) in groups(theme) {
        if left + COLUMN > room.right() {
            break;
        }
        let column = Rect::from_min_max(pos2(left, room.top()), pos2(left + COLUMN, room.bottom()));
        ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
            line_ui(ui, title(heading));
            ui.add_space(theme.sizes.spacing.xs);
            for (word, ink) in entries {
                entry_ui(ui, theme, word, ink);
            }
        });
        left += COLUMN;
    }
}

fn entry_ui(ui: &mut Ui, theme: &Theme, word: &str, ink: Color32) {
    let size = vec2(ui.available_width(), ENTRY);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.spacing_mut().item_spacing = vec2(theme.sizes.spacing.m, 0.0);
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
        ui.painter().rect_filled(rect, 1.0, ink);
        line_ui(ui, small(word, theme.text.secondary));
    });
    ui.add_space(-ui.spacing().item_spacing.y);
}

fn groups(theme: &Theme) -> [(&'static str, Entries); 3] {
    let (data, band, cpu) = (&theme.data, &theme.band, &theme.cpu);
    [
        (
            "On a stream",
            vec![
                ("GEMM", data.gemm),
                ("attention", data.attention),
                ("elementwise", data.elementwise),
                ("other compute", data.other),
                ("communication", data.communication),
                ("copy", data.copy),
                ("memset", data.memset),
            ],
        ),
        (
            "On a band and in the overview",
            vec![
                ("compute alone", band.compute),
                ("overlapped with communication", band.overlapped),
                ("exposed communication", band.exposed_communication),
                ("exposed copy", band.exposed_copy),
                ("idle", band.idle),
            ],
        ),
        (
            "On a CPU thread",
            vec![
                ("op", cpu.op),
                ("runtime or driver call", cpu.runtime),
                ("Python", cpu.python),
                ("annotation", cpu.annotation),
            ],
        ),
    ]
}
