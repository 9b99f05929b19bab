//! The window host: eframe calls the application in turn.

use crate::app::shell::{App, set_theme};
use crate::ui::install_fonts;
use crate::view::{Command, ThemeChoice};

/// No window could be opened.
#[derive(Debug, thiserror::Error)]
#[error("no window can be opened here: {0}")]
pub struct WindowError(String);

struct Host {
    app: App,
}

impl eframe::App for Host {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.app.logic(ctx);
        if self.app.wants_quit() {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.app.ui(ui);
    }
}

/// Opens the window and stays until it is closed. `commands` are done first.
pub fn open_window(theme: ThemeChoice, commands: Vec<Command>) -> Result<(), WindowError> {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Warpline")
        .with_app_id("warpline")
        .with_inner_size([1600.0, 1000.0])
        .with_min_inner_size([640.0, 400.0])
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions {
        viewport,
        ..eframe::NativeOptions::default()
    };
    let start = move |cx: &eframe::CreationContext<'_>| {
        install_fonts(&cx.egui_ctx);
        set_theme(&cx.egui_ctx, theme);
        let app = App::new(theme);
        for command in commands {
            app.command(command);
        }
        let host: Box<dyn eframe::App> = Box::new(Host { app });
        Ok(host)
    };
    eframe::run_native("warpline", options, Box::new(start))
        .map_err(|it| WindowError(cause(&it.to_string())))
}

/// What went wrong, without the place in the code of the windowing library that stands before it.
fn cause(text: &str) -> String {
    let end = text.rsplit(": ").next().unwrap_or(text);
    end.trim_end_matches('.').to_owned()
}
