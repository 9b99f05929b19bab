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
            self.kept.clear();
            self.pixels = pixels;
        }
        let pad = theme.sizes.bar.label_pad;
        let room = spot.rect.width() - 2.0 * pad;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a width on the screen"
        )]
        let class = (room / CLASS).clamp(0.0, 1000.0) as u16;
        let galley = self
            .kept
            .entry((spot.name, class))
            .or_insert_with(|| fit(painter, theme, open, spot, f32::from(class) * CLASS));
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
    painter: &Painter,
    theme: &Theme,
    open: &OpenRun<'_>,
    spot: &LabelSpot,
    room: f32,
) -> Option<Arc<Galley>> {
    let run = open.workspace.run();
    let font = FontId::proportional(theme.sizes.text.bar_label);
    let lay = |text: &str| {
        painter.layout_no_wrap(
            visible(text).into_owned(),
            font.clone(),
            Color32::PLACEHOLDER,
        )
    };
    let short = run.short_name(spot.name);
    let first = lay(short);
    if first.size().x <= room {
        return Some(first);
    }
    if matches!(spot.ink, Ink::Class(_)) {
        let full = run.text(spot.name);
        let narrower = [family_and_tile(full), family_word(full).map(str::to_owned)];
        if let Some(galley) = narrower
            .into_iter()
            .flatten()
            .map(|it| lay(&it))
            .find(|it| it.size().x <= room)
        {
            return Some(galley);
        }
    }
    let count = short.chars().count();
    let mean = first.size().x / count.max(1) as f32;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of characters"
    )]
    let mut keep = (room / mean).max(0.0) as usize;
    // Letters differ in width: the cut is tried a few times before giving up.
    for _ in 0..4 {
        keep = keep.saturating_sub(1);
        if keep < CUT_MIN {
            return None;
        }
        let mut cut: String = short.chars().take(keep).collect();
        cut.push('…');
        let galley = lay(&cut);
        if galley.size().x <= room {
            return Some(galley);
        }
    }
    None
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
