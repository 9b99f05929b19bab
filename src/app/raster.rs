//! Draws egui's tessellated meshes on the CPU, so that a picture needs neither window nor driver.
//!
//! It follows the rules of egui's shaders, so that a picture looks like the window, without their
//! dithering. The same frame gives the same bytes on every run and with any number of threads. Paint
//! callbacks belong to a graphics interface and are left out; Warpline uses none.

use std::collections::BTreeMap;

use egui::{
    ClippedPrimitive, Color32, Mesh, TextureId, TexturesDelta,
    epaint::{Primitive, Vertex},
};
use rayon::prelude::*;

use super::{
    fill::{Band, Clip, Corner, Quad},
    picture::Picture,
    texture::Texture,
};

/// Every band walks all meshes again, so more bands than this cost more than they gain.
const BANDS_MAX: usize = 4;

/// The textures of one egui context, and the drawing with them.
#[derive(Default)]
pub struct Raster {
    textures: BTreeMap<TextureId, Texture>,
    /// Freed, but the frame at hand may still show them.
    leaving: Vec<TextureId>,
}

impl Raster {
    /// Takes over what changed; call it for every frame, before that frame is rendered.
    ///
    /// Leaves `delta` empty, as egui demands of a delta that is dropped.
    pub fn apply(&mut self, delta: &mut TexturesDelta) {
        for id in self.leaving.drain(..) {
            self.textures.remove(&id);
        }
        let changed: BTreeMap<_, _> = delta.set.drain().collect();
        for (id, changes) in changed {
            for change in &changes {
                if let Some(texture) = Texture::from_whole(change) {
                    self.textures.insert(id, texture);
                } else if let Some(texture) = self.textures.get_mut(&id) {
                    texture.patch(change);
                }
            }
        }
        self.leaving.extend(delta.free.drain());
    }

    /// Draws a frame over an opaque `background`.
    pub fn render(
        &self,
        primitives: &[ClippedPrimitive],
        pixels_per_point: f32,
        size_px: [usize; 2],
        background: Color32,
    ) -> Picture {
        let [width, height] = size_px;
        let mut pixels = vec![background.to_array(); width * height];
        let bands = rayon::current_num_threads().clamp(1, BANDS_MAX);
        let rows = height.div_ceil(bands).max(1);
        pixels
            .par_chunks_mut((rows * width).max(1))
            .enumerate()
            .for_each(|(index, pixels)| {
                let band = Band {
                    width,
                    first_row: index * rows,
                    pixels,
                    taps: Vec::new(),
                };
                self.draw(band, primitives, f64::from(pixels_per_point));
            });
        Picture {
            size_px,
            rgba: pixels.into_flattened(),
        }
    }

    fn draw(&self, mut band: Band<'_>, primitives: &[ClippedPrimitive], pixels_per_point: f64) {
        for clipped in primitives {
            let Primitive::Mesh(mesh) = &clipped.primitive else {
                continue;
            };
            let Some(texture) = self.textures.get(&mesh.texture_id) else {
                continue;
            };
            let clip = clip_from_points(clipped.clip_rect, pixels_per_point);
            if let Some(clip) = band.clip(clip) {
                draw_mesh(&mut band, mesh, texture, clip, pixels_per_point);
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast float stops at the ends of i64"
)]
fn clip_from_points(rect: egui::Rect, pixels_per_point: f64) -> Clip {
    let pixel = |points: f32| (f64::from(points) * pixels_per_point).round() as i64;
    Clip {
        x: [pixel(rect.min.x), pixel(rect.max.x)],
        y: [pixel(rect.min.y), pixel(rect.max.y)],
    }
}

fn draw_mesh(
    band: &mut Band<'_>,
    mesh: &Mesh,
    texture: &Texture,
    clip: Clip,
    pixels_per_point: f64,
) {
    let corner = |vertex: &Vertex| Corner {
        at_px: [vertex.pos.x, vertex.pos.y].map(|points| f64::from(points) * pixels_per_point),
        uv: [vertex.uv.x, vertex.uv.y].map(f64::from),
        ink: vertex.color.to_array(),
    };
    let mut rest = mesh.indices.as_slice();
    loop {
        if let Some((six, after)) = rest.split_first_chunk()
            && let Some([from, to]) = vertices::<6>(mesh, six).and_then(quad_ends)
        {
            let quad = Quad {
                from: corner(from),
                to: corner(to),
            };
            band.quad(&quad, texture, clip);
            rest = after;
        } else if let Some((three, after)) = rest.split_first_chunk() {
            if let Some(triangle) = vertices::<3>(mesh, three) {
                band.triangle(triangle.map(corner), texture, clip);
            }
            rest = after;
        } else {
            break;
        }
    }
}

/// Nothing when an index leads nowhere or a position is not a number.
fn vertices<'a, const N: usize>(mesh: &'a Mesh, indices: &[u32; N]) -> Option<[&'a Vertex; N]> {
    let first = mesh.vertices.get(*indices.first()? as usize)?;
    let mut found = [first; N];
    for (slot, index) in found.iter_mut().zip(indices) {
        *slot = mesh.vertices.get(*index as usize)?;
    }
    found
        .iter()
        .all(|vertex| vertex.pos.is_finite() && vertex.uv.is_finite())
        .then_some(found)
}

/// The top left and bottom right vertex, when two triangles are the halves of an axis-aligned
/// rectangle of one color whose texture is not turned. Bars, panels, glyphs and images all are.
fn quad_ends(six: [&Vertex; 6]) -> Option<[&Vertex; 2]> {
    let [a, b, c, ..] = six;
    if six.iter().any(|vertex| vertex.color != a.color) {
        return None;
    }
    let min = a.pos.min(b.pos).min(c.pos);
    let max = a.pos.max(b.pos).max(c.pos);
    if min.x >= max.x || min.y >= max.y {
        return None;
    }
    // Corners count from the top left, right before down.
    let mut corners: [Option<&Vertex>; 4] = [None; 4];
    let mut seen = [0_u8; 2];
    for (index, vertex) in six.into_iter().enumerate() {
        let right = vertex.pos.x == max.x;
        let low = vertex.pos.y == max.y;
        if !(right || vertex.pos.x == min.x) || !(low || vertex.pos.y == min.y) {
            return None;
        }
        let place = usize::from(right) + 2 * usize::from(low);
        if corners[place].is_some_and(|other| other.uv != vertex.uv) {
            return None;
        }
        corners[place] = Some(vertex);
        seen[index / 3] |= 1 << place;
    }
    // Each half lacks one corner, and the two lie opposite.
    let opposite = matches!(
        seen,
        [0b1110, 0b0111] | [0b0111, 0b1110] | [0b1101, 0b1011] | [0b1011, 0b1101]
    );
    let [
        Some(top_left),
        Some(top_right),
        Some(low_left),
        Some(low_right),
    ] = corners
    else {
        return None;
    };
    let straight = top_left.uv.x == low_left.uv.x
        && top_right.uv.x == low_right.uv.x
        && top_left.uv.y == top_right.uv.y
        && low_left.uv.y == low_right.uv.y;
    (opposite && straight).then_some([top_left, low_right])
}

#[cfg(test)]
mod tests {
    use super::Raster;
    use crate::app::Picture;
    use egui::{
        ClippedPrimitive, Color32, ColorImage, Mesh, Rect, TextureId, TextureOptions,
        TexturesDelta,
        epaint::{ImageDelta, Primitive, Vertex},
        pos2,
    };

    const SIZE_PX: [usize; 2] = [16, 16];
    const EVERYWHERE: Rect = Rect::EVERYTHING;

    fn ink(rgba: [u8; 4]) -> Color32 {
        Color32::from_rgba_unmultiplied(rgba[0], rgba[1], rgba[2], rgba[3])
    }

    /// Texture 0 is one white texel, texture 1 is black, red, green, white in a square.
    fn raster(options: TextureOptions) -> Raster {
        let square = vec![Color32::BLACK, Color32::RED, Color32::GREEN, Color32::WHITE];
        let mut delta = TexturesDelta::default();
        for (id, side, pixels) in [(0, 1, vec![Color32::WHITE]), (1, 2, square)] {
            let image = ColorImage::new([side, side], pixels);
            delta.push(TextureId::Managed(id), ImageDelta::full(image, options));
        }
        let mut raster = Raster::default();
        raster.apply(&mut delta);
        raster
    }

    fn draw(raster: &Raster, meshes: &[(&Mesh, Rect)], pixels_per_point: f32) -> Picture {
        let primitives: Vec<_> = meshes
            .iter()
            .map(|(mesh, clip_rect)| ClippedPrimitive {
                clip_rect: *clip_rect,
                primitive: Primitive::Mesh((*mesh).clone()),
            })
            .collect();
        raster.render(&primitives, pixels_per_point, SIZE_PX, Color32::BLACK)
    }

    fn rect(min: [f32; 2], max: [f32; 2]) -> Rect {
        Rect::from_min_max(min.into(), max.into())
    }

    fn solid(rect: Rect, color: Color32) -> Mesh {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(rect, color);
        mesh
    }

    fn image(rect: Rect) -> Mesh {
        let mut mesh = Mesh::with_texture(TextureId::Managed(1));
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        mesh.add_rect_with_uv(rect, uv, Color32::WHITE);
        mesh
    }

    /// The same two triangles in an order that no quad has.
    fn as_triangles(mut mesh: Mesh) -> Mesh {
        let outside = u32::try_from(mesh.vertices.len()).unwrap();
        mesh.vertices
            .push(Vertex::untextured(pos2(-9.0, -9.0), Color32::BLUE));
        mesh.indices.splice(3..3, [outside; 3]);
        mesh
    }

    fn covered(picture: &Picture) -> Vec<(usize, usize)> {
        let places = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
        places
            .filter(|(x, y)| picture.pixel(*x, *y) != Some([0, 0, 0, 255]))
            .collect()
    }

    #[test]
    fn a_rect_covers_the_pixels_whose_centers_it_holds() {
        let mesh = solid(rect([1.25, 2.5], [3.5, 3.75]), Color32::WHITE);
        let picture = draw(&raster(TextureOptions::LINEAR), &[(&mesh, EVERYWHERE)], 1.0);
        assert_eq!(covered(&picture), [(1, 2), (2, 2), (1, 3), (2, 3)]);
        let picture = draw(&raster(TextureOptions::LINEAR), &[(&mesh, EVERYWHERE)], 2.0);
        assert_eq!(covered(&picture).len(), 5 * 2);
        assert_eq!(covered(&picture)[0], (2, 5));
    }

    #[test]
    fn translucent_triangles_never_share_a_pixel() {
        let veil = ink([255, 255, 255, 100]);
        let center = pos2(7.3, 8.1);
        let rim = [
            (0.0, 0.0),
            (16.0, 0.0),
            (16.0, 5.5),
            (16.0, 16.0),
            (3.0, 16.0),
            (0.0, 16.0),
        ];
        let mut mesh = Mesh::default();
        mesh.vertices.push(Vertex::untextured(center, veil));
        mesh.vertices
            .extend(rim.map(|(x, y)| Vertex::untextured(pos2(x, y), veil)));
        for it in 0..6 {
            // Winding alternates, as egui keeps to none.
            let (a, b) = (1 + it, 1 + (it + 1) % 6);
            mesh.indices
                .extend(if it % 2 == 0 { [0, a, b] } else { [0, b, a] });
        }
        let picture = draw(&raster(TextureOptions::LINEAR), &[(&mesh, EVERYWHERE)], 1.0);
        let (pixels, _) = picture.rgba.as_chunks::<4>();
        assert!(pixels.iter().all(|pixel| *pixel == [100, 100, 100, 255]));
    }

    #[test]
    fn nearest_textures_keep_hard_edges_and_linear_ones_do_not() {
        let mesh = image(rect([0.0, 0.0], [8.0, 8.0]));
        let hard = draw(
            &raster(TextureOptions::NEAREST),
            &[(&mesh, EVERYWHERE)],
            1.0,
        );
        assert_eq!(hard.pixel(3, 3), Some([0, 0, 0, 255]));
        assert_eq!(hard.pixel(4, 3), Some([255, 0, 0, 255]));
        assert_eq!(hard.pixel(3, 4), Some([0, 255, 0, 255]));
        assert_eq!(hard.pixel(4, 4), Some([255; 4]));
        let soft = draw(&raster(TextureOptions::LINEAR), &[(&mesh, EVERYWHERE)], 1.0);
        let [red, ..] = soft.pixel(4, 0).unwrap();
        assert!(red > 100 && red < 200);
    }

    #[test]
    fn nothing_is_drawn_outside_the_clip() {
        let clip = rect([2.0, 3.0], [5.4, 4.0]);
        let mesh = solid(rect([-50.0, -50.0], [50.0, 50.0]), Color32::WHITE);
        for mesh in [as_triangles(mesh.clone()), mesh] {
            let picture = draw(&raster(TextureOptions::LINEAR), &[(&mesh, clip)], 1.0);
            assert_eq!(covered(&picture), [(2, 3), (3, 3), (4, 3)]);
        }
    }

    #[test]
    fn quads_look_like_their_two_triangles() {
        let raster = raster(TextureOptions::LINEAR);
        let veil = ink([20, 200, 90, 130]);
        for step in 0..40_u8 {
            let shift = f32::from(step) * 0.137;
            let place = rect([shift, 1.0 + shift / 3.0], [9.0 + shift / 2.0, 8.0 + shift]);
            for mesh in [solid(place, veil), image(place)] {
                let quick = draw(&raster, &[(&mesh, EVERYWHERE)], 1.0);
                let slow = draw(&raster, &[(&as_triangles(mesh), EVERYWHERE)], 1.0);
                let farthest = quick
                    .rgba
                    .iter()
                    .zip(&slow.rgba)
                    .map(|(a, b)| a.abs_diff(*b))
                    .max();
                assert!(farthest <= Some(1), "{place:?} differs by {farthest:?}");
            }
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let raster = raster(TextureOptions::LINEAR);
        let mut bow = solid(rect([1.3, 0.2], [14.9, 15.1]), ink([200, 10, 60, 99]));
        bow.vertices[0].color = Color32::WHITE;
        let picture = image(rect([2.2, 1.9], [13.0, 12.2]));
        let with_threads = |count| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(count)
                .build()
                .unwrap();
            pool.install(|| draw(&raster, &[(&picture, EVERYWHERE), (&bow, EVERYWHERE)], 1.0))
        };
        let alone = with_threads(1);
        for count in [2, 3, 7] {
            assert_eq!(with_threads(count), alone);
        }
    }

    #[test]
    fn a_freed_texture_serves_its_last_frame() {
        let mut raster = raster(TextureOptions::NEAREST);
        let mesh = image(rect([0.0, 0.0], [8.0, 8.0]));
        let mut delta = TexturesDelta::default();
        delta.free(TextureId::Managed(1));
        raster.apply(&mut delta);
        assert!(!covered(&draw(&raster, &[(&mesh, EVERYWHERE)], 1.0)).is_empty());
        raster.apply(&mut TexturesDelta::default());
        assert!(covered(&draw(&raster, &[(&mesh, EVERYWHERE)], 1.0)).is_empty());
    }
}
