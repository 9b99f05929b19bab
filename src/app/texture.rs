//! Textures as egui hands them over, and how a color is read from them.
//!
//! Colors are premultiplied and stay in gamma space, as in egui's own shaders. A position within a
//! texture is a whole number of 1/256 texels, the precision graphics hardware filters with.
//! Mipmaps are not kept, and the filter for magnification serves minification as well.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "texel positions are wrapped into the texture before they become indices"
)]

use egui::{ImageData, TextureFilter, TextureOptions, TextureWrapMode, epaint::ImageDelta};

/// Premultiplied red, green, blue and alpha.
pub(super) type Ink = [u8; 4];

pub(super) const WHITE: Ink = [255; 4];

pub(super) struct Texture {
    size: [usize; 2],
    texels: Vec<Ink>,
    options: TextureOptions,
}

/// Where one texture coordinate falls along one axis: two neighboring texels and the weight of the
/// second, in 1/256.
#[derive(Clone, Copy)]
pub(super) struct Tap {
    near: u32,
    far: u32,
    far_weight: u32,
}

impl Texture {
    /// Nothing for a patch, which needs a texture to go to.
    pub(super) fn from_whole(delta: &ImageDelta) -> Option<Self> {
        let ImageData::Color(image) = &delta.image;
        let whole = delta.is_whole() && image.size[0] > 0 && image.size[1] > 0;
        whole.then(|| Self {
            size: image.size,
            texels: image.pixels.iter().map(egui::Color32::to_array).collect(),
            options: delta.options,
        })
    }

    /// Replaces a part; what would lie outside is left out.
    pub(super) fn patch(&mut self, delta: &ImageDelta) {
        let (Some([left, top]), ImageData::Color(image)) = (delta.pos, &delta.image) else {
            return;
        };
        self.options = delta.options;
        let [width, height] = self.size;
        let columns = image.size[0].min(width.saturating_sub(left));
        let rows = image.size[1].min(height.saturating_sub(top));
        for row in 0..rows {
            let from = &image.pixels[row * image.size[0]..][..columns];
            let to = &mut self.texels[(top + row) * width + left..][..columns];
            for (texel, color) in to.iter_mut().zip(from) {
                *texel = color.to_array();
            }
        }
    }

    /// `u` is a texture coordinate: 0 at the left edge, 1 at the right.
    pub(super) fn column(&self, u: f64) -> Tap {
        self.tap(u, self.size[0])
    }

    /// `v` is a texture coordinate: 0 at the top edge, 1 at the bottom.
    pub(super) fn row(&self, v: f64) -> Tap {
        self.tap(v, self.size[1])
    }

    fn tap(&self, coordinate: f64, side: usize) -> Tap {
        let texels = coordinate * side as f64;
        match self.options.magnification {
            TextureFilter::Nearest => {
                let near = self.wrap(texels.floor() as i64, side);
                let far_weight = 0;
                Tap {
                    near,
                    far: near,
                    far_weight,
                }
            }
            TextureFilter::Linear => {
                let position = (texels * 256.0 - 128.0).round() as i64;
                let first = position >> 8;
                Tap {
                    near: self.wrap(first, side),
                    far: self.wrap(first + 1, side),
                    far_weight: (position & 255) as u32,
                }
            }
        }
    }

    fn wrap(&self, texel: i64, side: usize) -> u32 {
        let side = side as i64;
        let inside = match self.options.wrap_mode {
            TextureWrapMode::ClampToEdge => texel.clamp(0, side - 1),
            TextureWrapMode::Repeat => texel.rem_euclid(side),
            TextureWrapMode::MirroredRepeat => {
                let place = texel.rem_euclid(2 * side);
                place.min(2 * side - 1 - place)
            }
        };
        inside as u32
    }

    pub(super) fn sample(&self, column: Tap, row: Tap) -> Ink {
        let width = self.size[0];
        let near_row = row.near as usize * width;
        let (left, right) = (column.near as usize, column.far as usize);
        // Most glyphs and all strips are read exactly at texel centers.
        if column.far_weight == 0 && row.far_weight == 0 {
            return self.texels[near_row + left];
        }
        let far_row = row.far as usize * width;
        let corners = [
            self.texels[near_row + left],
            self.texels[near_row + right],
            self.texels[far_row + left],
            self.texels[far_row + right],
        ];
        let (x, y) = (column.far_weight, row.far_weight);
        let weights = [(256 - x) * (256 - y), x * (256 - y), (256 - x) * y, x * y];
        std::array::from_fn(|channel| {
            let sum: u32 = (0..4)
                .map(|it| u32::from(corners[it][channel]) * weights[it])
                .sum();
            ((sum + (1 << 15)) >> 16) as u8
        })
    }

    /// The texel at a pair of texture coordinates.
    pub(super) fn at(&self, uv: [f64; 2]) -> Ink {
        self.sample(self.column(uv[0]), self.row(uv[1]))
    }
}

/// `a * b / 255`, rounded to nearest.
pub(super) fn scale(a: u8, b: u8) -> u8 {
    let product = u32::from(a) * u32::from(b) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

/// One color seen through another.
pub(super) fn tint(color: Ink, texel: Ink) -> Ink {
    if texel == WHITE {
        return color;
    }
    if color == WHITE {
        return texel;
    }
    std::array::from_fn(|channel| scale(color[channel], texel[channel]))
}

/// Lays `ink` over one pixel.
#[inline]
pub(super) fn blend(pixel: &mut Ink, ink: Ink) {
    let rest = 255 - ink[3];
    if rest == 0 {
        *pixel = ink;
        return;
    }
    for (channel, added) in pixel.iter_mut().zip(ink) {
        *channel = scale(*channel, rest).saturating_add(added);
    }
}

#[cfg(test)]
mod tests {
    use super::{Texture, blend, scale};
    use egui::{Color32, ColorImage, TextureOptions, TextureWrapMode, epaint::ImageDelta};

    fn two_texels(options: TextureOptions) -> Texture {
        let image = ColorImage::new([2, 1], vec![Color32::BLACK, Color32::WHITE]);
        Texture::from_whole(&ImageDelta::full(image, options)).unwrap()
    }

    #[test]
    fn products_are_rounded_to_nearest() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                let exact = (f64::from(a) * f64::from(b) / 255.0).round();
                assert_eq!(f64::from(scale(a, b)), exact);
            }
        }
    }

    #[test]
    fn nearest_never_mixes_and_linear_does() {
        let nearest = two_texels(TextureOptions::NEAREST);
        assert_eq!(nearest.at([0.49, 0.5]), [0, 0, 0, 255]);
        assert_eq!(nearest.at([0.51, 0.5]), [255; 4]);
        let linear = two_texels(TextureOptions::LINEAR);
        assert_eq!(linear.at([0.25, 0.5]), [0, 0, 0, 255]);
        assert_eq!(linear.at([0.5, 0.5]), [128, 128, 128, 255]);
        assert_eq!(linear.at([9.0, -3.0]), [255; 4]);
    }

    #[test]
    fn textures_wrap_as_asked() {
        let mut options = TextureOptions::NEAREST;
        options.wrap_mode = TextureWrapMode::Repeat;
        assert_eq!(two_texels(options).at([1.1, 0.5]), [0, 0, 0, 255]);
        options.wrap_mode = TextureWrapMode::MirroredRepeat;
        assert_eq!(two_texels(options).at([1.1, 0.5]), [255; 4]);
    }

    #[test]
    fn a_patch_changes_its_part_only() {
        let mut texture = two_texels(TextureOptions::NEAREST);
        let image = ColorImage::new([2, 1], vec![Color32::RED, Color32::GREEN]);
        texture.patch(&ImageDelta::partial([1, 0], image, TextureOptions::NEAREST));
        assert_eq!(texture.at([0.2, 0.5]), [0, 0, 0, 255]);
        assert_eq!(texture.at([0.8, 0.5]), [255, 0, 0, 255]);
    }

    #[test]
    fn light_without_cover_is_added() {
        let mut pixel = [250, 10, 0, 255];
        blend(&mut pixel, [20, 20, 20, 0]);
        assert_eq!(pixel, [255, 30, 20, 255]);
    }
}
