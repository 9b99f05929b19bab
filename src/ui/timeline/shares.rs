//! Overlap bands and heat rows: each pixel column mixes the four colors by share. Idle is a thin line
//! in the middle of a band and the idle color in a mix.

use egui::epaint::Mesh;
use egui::{Color32, Rect, Rgba, pos2};

use crate::ui::theme::Theme;
use crate::view::Shares;

/// Adds one quad per stretch of equal columns.
pub(in crate::ui) fn paint_shares(
    mesh: &mut Mesh,
    theme: &Theme,
    shares: &[Shares],
    rect: Rect,
    pixels: f32,
) {
    let quantized = |it: &Shares| quantize(*it);
    let mut at = 0;
    while at < shares.len() {
        let look = quantized(&shares[at]);
        let run = shares[at..]
            .iter()
            .take_while(|it| quantized(it) == look)
            .count();
        let x = |it: usize| rect.left() + it as f32 / pixels;
        let column = Rect::from_min_max(pos2(x(at), rect.top()), pos2(x(at + run), rect.bottom()));
        if look == [0; 4] {
            let middle = rect.center().y;
            let line = Rect::from_min_max(
                pos2(column.left(), middle - 1.0),
                pos2(column.right(), middle + 1.0),
            );
            mesh.add_colored_rect(line, theme.band.idle);
        } else {
            mesh.add_colored_rect(column, mix(theme, look));
        }
        at += run;
    }
}

/// Sixteenths, where anything at all is at least one.
fn quantize(it: Shares) -> [u8; 4] {
    [
        it.compute_alone,
        it.overlapped,
        it.exposed_communication,
        it.exposed_copy,
    ]
    .map(|it| it.div_ceil(16))
}

fn mix(theme: &Theme, parts: [u8; 4]) -> Color32 {
    let inks = [
        theme.band.compute,
        theme.band.overlapped,
        theme.band.exposed_communication,
        theme.band.exposed_copy,
    ];
    let busy: u8 = parts.iter().sum();
    let mut sum = Rgba::from(theme.band.idle) * (f32::from(16_u8.saturating_sub(busy)) / 16.0);
    let whole = f32::from(busy.max(16));
    for (ink, part) in inks.into_iter().zip(parts) {
        sum = sum + Rgba::from(ink) * (f32::from(part) / whole);
    }
    sum.into()
}
