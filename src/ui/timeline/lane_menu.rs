//! What can be done with a lane, as a menu.

use egui::{Button, RichText, Ui};

use crate::ui::panel::{Cx, OpenRun};
use crate::view::{LaneKey, ViewCommand};

/// The commands on one lane.
pub(super) fn lane_menu_ui(ui: &mut Ui, cx: &Cx<'_>, open: &OpenRun<'_>, key: LaneKey) {
    ui.set_min_width(180.0);
    let arrangement = open.view.arrangement();
    let lane = open.view.all_lanes().find(|it| it.key == key);
    let opens = lane.and_then(|it| it.open);
    let pick = |yes: bool, a: &'static str, b: &'static str| if yes { a } else { b };
    if let Some(is_open) = opens {
        let word = pick(is_open, "Collapse", "Expand");
        item_ui(ui, cx, word, "E", ViewCommand::Toggle(key));
    }
    let word = pick(arrangement.is_pinned(key), "Unpin", "Pin at the top");
    item_ui(ui, cx, word, "P", ViewCommand::Pin(key));
    item_ui(ui, cx, "Hide", "H", ViewCommand::Hide(key));
    let word = pick(arrangement.is_alone(key), "Show the others", "Show alone");
    item_ui(ui, cx, word, "", ViewCommand::Solo(key));
    let word = pick(arrangement.is_high(key), "Usual height", "Double height");
    item_ui(ui, cx, word, "", ViewCommand::Heighten(key));
    if open.view.hidden_count() > 0 {
        item_ui(
            ui,
            cx,
            "Show all lanes",
            "Shift H",
            ViewCommand::ShowAllLanes,
        );
    }
}

/// An entry that does a command and closes the menu.
pub(super) fn item_ui(ui: &mut Ui, cx: &Cx<'_>, word: &str, key: &str, command: ViewCommand) {
    let key = RichText::new(key).small().color(cx.theme.text.muted);
    let response = ui.add(Button::new(word).shortcut_text(key));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, word));
    if response.clicked() {
        cx.outbox.view(command);
        ui.close();
    }
}
