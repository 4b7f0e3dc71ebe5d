//! Colours of joints over a corpus.

use std::path::Path;

use sinew::model::gltf;

use crate::hues::least_apart;
use crate::model_files;

/// Joints that move the same vertex have clearly different hues.
pub fn joints_beside_each_other_have_different_hues(corpus: &Path) -> usize {
    let mut seen = 0;
    for file in &model_files(&corpus.join("models")) {
        let Ok(model) = gltf::load(file) else { continue };
        let (apart, pairs) = least_apart(&model);
        assert!(apart >= 20.0, "{}: {apart:.1} degrees in {pairs} pairs", file.display());
        seen += usize::from(pairs > 0);
    }
    seen
}
