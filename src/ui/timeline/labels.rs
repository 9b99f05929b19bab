//! Text on bars: the first of short name, family and tile, family word that fits; else a cut with an
//! ellipsis if enough of it remains; else nothing. Layouts are kept per name and width class.

use std::sync::Arc;

use egui::{Color32, FontId, Galley, Painter, pos2};
use rustc_hash::FxHashMap;

use crate::model::{NameId, family_and_tile, family_word, visible};
use crate::ui::panel::OpenRun;
use crate::ui::theme::Theme;
use crate::ui::timeline::chips::Chip;
use crate::ui::timeline::inks::text_color_on;
use crate::ui::timeline::paint::LabelSpot;
use crate::view::Ink;

const ELLIPSIS: &str = "…";
/// Characters that must remain before an ellipsis.
const CUT_MIN: usize = 8;
/// Points of a width class.
const CLASS: f32 = 8.0;
/// Points that text stands above the middle of its line: most letters have nothing below the base line,
/// and in a low row what is below would be cut off.
const LIFT: f32 = 1.5;
/// Layouts kept; beyond it all are thrown away.
const KEPT_MAX: usize = 40_000;

/// The layouts.
#[derive(Default)]
pub(super) struct Labels {
    kept: FxHashMap<(NameId, u16), Option<Arc<Galley>>>,
    /// Of whole short names: where to cut one is read from it.
    wholes: FxHashMap<NameId, Arc<Galley>>,
    pixels: f32,
}

impl Labels {
    pub(super) fn paint(
        &mut self,
        painter: &Painter,
        theme: &Theme,
        open: &OpenRun<'_>,
        spot: &LabelSpot,
        chips: &[Chip],
    ) {
        let pixels = painter.ctx().pixels_per_point();
        if self.kept.len() > KEPT_MAX || self.pixels != pixels {
            *self = Self {
                pixels,
                ..Self::default()
            };
        }
        let pad = theme.sizes.bar.label_pad;
        let room = spot.rect.width() - 2.0 * pad;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a width on the screen"
        )]
        let class = (room / CLASS).clamp(0.0, 1000.0) as u16;
        let wholes = &mut self.wholes;
        let galley = self
            .kept
            .entry((spot.name, class))
            .or_insert_with(|| fit(wholes, painter, theme, open, spot, f32::from(class) * CLASS));
        if let Some(galley) = galley {
            let at = pos2(spot.rect.left() + pad, top_of(galley, spot.rect));
            let taken = egui::Rect::from_min_size(at, galley.size());
            if !chips.iter().any(|it| it.covers(taken)) {
                painter.galley(at, Arc::clone(galley), text_color_on(theme, spot.ink));
            }
        }
    }
}

fn top_of(galley: &Galley, bar: egui::Rect) -> f32 {
    bar.center().y - galley.size().y / 2.0 - LIFT
}

fn fit(
    wholes: &mut FxHashMap<NameId, Arc<Galley>>,
    painter: &Painter,
    theme: &Theme,
    open: &OpenRun<'_>,
    spot: &LabelSpot,
    room: f32,
) -> Option<Arc<Galley>> {
    let run = open.workspace.run();
    let font = FontId::proportional(theme.sizes.text.bar_label);
    let lay = |text: String| painter.layout_no_wrap(text, font.clone(), Color32::PLACEHOLDER);
    let whole = wholes
        .entry(spot.name)
        .or_insert_with(|| lay(visible(run.short_name(spot.name)).into_owned()));
    if whole.size().x <= room {
        return Some(Arc::clone(whole));
    }
    if matches!(spot.ink, Ink::Class(_)) {
        let full = run.text(spot.name);
        let narrower = [family_and_tile(full), family_word(full).map(str::to_owned)];
        let mut laid = narrower
            .into_iter()
            .flatten()
            .map(|it| lay(visible(&it).into_owned()));
        if let Some(galley) = laid.find(|it| it.size().x <= room) {
            return Some(galley);
        }
    }
    let room = room - lay(ELLIPSIS.to_owned()).size().x;
    let glyphs = &whole.rows.first()?.row.glyphs;
    let kept = glyphs
        .iter()
        .take_while(|it| it.pos.x + it.advance_width <= room);
    let cut: String = kept.map(|it| it.chr).collect();
    (cut.chars().count() >= CUT_MIN).then(|| lay(format!("{cut}{ELLIPSIS}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::install_fonts;

    #[test]
    fn in_the_lowest_rows_no_letter_is_cut_off() {
        let ctx = egui::Context::default();
        install_fonts(&ctx);
        let theme = Theme::dark();
        let font = FontId::proportional(theme.sizes.text.bar_label);
        let height = theme.sizes.lane.sub_lane - 2.0 * theme.sizes.bar.inset_y;
        let bar = egui::Rect::from_min_size(pos2(0.0, 100.0), egui::vec2(200.0, height));
        let mut ink = None;
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let galley = ui.painter().layout_no_wrap(
                "Elementwise_mul".to_owned(),
                font.clone(),
                Color32::WHITE,
            );
            let top = top_of(&galley, bar).round();
            ink = Some(galley.mesh_bounds.translate(egui::vec2(0.0, top)));
        });
        output.textures_delta.clear();
        let ink = ink.unwrap();
        assert!(bar.y_range().contains(ink.top()), "{ink} in {bar}");
        assert!(bar.y_range().contains(ink.bottom()), "{ink} in {bar}");
    }
}
