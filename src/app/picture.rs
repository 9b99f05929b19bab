//! A finished picture: pixels in memory, and the same as a PNG file.
//!
//! Equal pixels and texts give equal bytes, so pictures can be compared by their files.

/// Rows of pixels from the top, four bytes each (red, green, blue, alpha in sRGB).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub size_px: [usize; 2],
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The picture as a PNG file; `text` holds keyword and content of its text chunks.
    ///
    /// A keyword is 1 to 79 Latin-1 characters, as the format asks; content may be any text.
    pub fn png(&self, text: &[(&str, &str)]) -> Result<Vec<u8>, png::EncodingError> {
        let [width, height] = self
            .size_px
            .map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        for (keyword, content) in text {
            encoder.add_itxt_chunk((*keyword).to_owned(), (*content).to_owned())?;
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// The four bytes of one pixel, or nothing outside of the picture.
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 4]> {
        if x >= self.size_px[0] {
            return None;
        }
        let (pixels, _) = self.rgba.as_chunks::<4>();
        pixels.get(y * self.size_px[0] + x).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Picture;

    #[test]
    fn a_png_gives_back_its_pixels_and_texts() {
        let picture = Picture {
            size_px: [2, 1],
            rgba: vec![1, 2, 3, 255, 4, 5, 6, 255],
        };
        let bytes = picture.png(&[("Title", "矩阵 GEMM")]).unwrap();
        assert_eq!(bytes, picture.png(&[("Title", "矩阵 GEMM")]).unwrap());

        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgba).unwrap();
        assert_eq!(rgba, picture.rgba);
        let chunk = &reader.info().utf8_text[0];
        assert_eq!(chunk.get_text().unwrap(), "矩阵 GEMM");
        assert_eq!(picture.pixel(1, 0), Some([4, 5, 6, 255]));
        assert_eq!(picture.pixel(2, 0), None);
    }
}
