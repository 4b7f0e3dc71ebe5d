//! Pictures and budgets for tests.

use crate::reading::budget::Budget;

/// A PNG of one grey.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![7; (width * height) as usize]).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A budget of this number of bytes.
pub fn budget(bytes: u64) -> Budget {
    let mut budget = Budget::default();
    assert!(budget.take((256 << 20) - bytes));
    budget
}
