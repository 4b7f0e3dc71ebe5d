//! Chooses the buffer with palettes for scenes that name none: by a short measurement, unless the device's is known.

use crate::kernels::{Kernels, MAX_AT_ONCE, MadeUp, Order, Outputs, SlotsIn};
use crate::palette_choice::{PaletteChoice, keep};
use crate::renderer::Renderer;
use sinew_scene::scene::{PaletteIn, Scene};
use sinew_skinning::SkinningMode;
use sinew_skinning::cpu::Exactness;
use sinew_vulkan::VulkanError;

/// Vertices of a measured figure, and figures, whose slots fill a uniform buffer's window. Together they occupy a large
/// GPU.
const VERTICES: u32 = 32_768;
const FIGURES: u32 = 8;

/// Number of times that both buffers take turns.
const ROUNDS: u32 = 3;

impl Renderer {
    /// Returns the buffer with a scene's palettes. Measures if the scene leaves the choice to a device without a known
    /// one.
    pub fn palette_of(&mut self, scene: &Scene) -> PaletteIn {
        scene.palette.unwrap_or_else(|| self.palette_choice().buffer)
    }

    /// Returns the choice of this device.
    fn palette_choice(&mut self) -> PaletteChoice {
        if let Some(choice) = self.palette_choice {
            return choice;
        }
        let known = PaletteChoice::known(self.device().physical(), self.cache_folder.as_deref());
        // A picture does without; if the device is lost, its next call says so.
        let choice = known.or_else(|| {
            let measured = self.measure_palettes();
            measured.inspect_err(|error| tracing::debug!("palettes not measured: {error}")).ok()
        });
        *self.palette_choice.insert(choice.unwrap_or(PaletteChoice::UNMEASURED))
    }

    /// Measures both buffers and keeps the result: in the renderer, and in the cache if there is one.
    pub fn measure_palettes(&mut self) -> Result<PaletteChoice, VulkanError> {
        let ratio = measure(self)?;
        if let Some(folder) = &self.cache_folder {
            keep(ratio, self.device().physical(), folder);
        }
        Ok(*self.palette_choice.insert(PaletteChoice::by(ratio)))
    }
}

/// Times a kernel with both buffers in turns, and returns the ratio of the shortest times.
fn measure(renderer: &Renderer) -> Result<f64, VulkanError> {
    let mode = SkinningMode::Linear;
    let made_up = MadeUp::new(VERTICES, 4, Order::Shuffled);
    let slots = [made_up.palette(mode).repeat(FIGURES as usize)];
    let kernels = |slots_in| {
        let mut kernels = Kernels::new(renderer, &[made_up.workload()], FIGURES, slots_in)?;
        kernels.select(renderer, (mode, Exactness::Twin), Outputs::Normals, &slots)?;
        kernels.run(1)?;
        Ok(kernels)
    };
    let mut both = [kernels(SlotsIn::Uniform)?, kernels(SlotsIn::Storage)?];
    let mut shortest = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (kernels, shortest) in both.iter_mut().zip(&mut shortest) {
            *shortest = kernels.run(MAX_AT_ONCE)?.millis.into_iter().fold(*shortest, f64::min);
        }
    }
    let [uniform, storage] = shortest;
    // A clock that is too coarse tells no difference.
    Ok(if uniform > 0.0 && storage.is_finite() { storage / uniform } else { 1.0 })
}
