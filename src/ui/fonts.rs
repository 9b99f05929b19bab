//! The fonts text is drawn with: egui's own, then the bundled Chinese subset.
//!
//! In a window egui may ask the system for what both lack; a headless picture has these alone.

use std::sync::Arc;

use egui::{Context, FontData, FontDefinitions, FontFamily};

const CJK_NAME: &str = "Warpline CJK";
const CJK_OTF: &[u8] = include_bytes!("../../assets/fonts/WarplineCJK-Regular.otf");

/// Makes Chinese names readable, as the last fallback of both families.
///
/// Replaces fonts that were set before.
pub fn install_fonts(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    let data = FontData::from_static(CJK_OTF);
    fonts.font_data.insert(CJK_NAME.to_owned(), Arc::new(data));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        let names = fonts.families.entry(family).or_default();
        names.push(CJK_NAME.to_owned());
    }
    ctx.set_fonts(fonts);
}

#[cfg(test)]
mod tests {
    use super::install_fonts;
    use egui::{Context, FontFamily, FontId};

    #[test]
    fn common_hanzi_are_in_both_families() {
        let ctx = Context::default();
        install_fonts(&ctx);
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            ui.fonts_mut(|fonts| {
                for family in [FontFamily::Proportional, FontFamily::Monospace] {
                    let font = FontId::new(12.5, family);
                    assert!(fonts.has_glyphs(&font, "训练步骤，数据加载：前向、反向。"));
                }
            });
        });
        output.drop_without_applying_deltas();
    }
}
