//! Loads the Vulkan loader and the drivers on a background thread. Their libraries are large, and a later instance
//! finds them loaded.

use std::thread::JoinHandle;

/// Libraries being loaded. They stay loaded until this value is dropped, which waits for the thread.
pub struct Preload(Option<JoinHandle<Option<ash::Entry>>>);

impl Preload {
    /// Starts loading. Errors surface later, when a caller needs the libraries.
    pub fn start() -> Self {
        // Without a thread, the first user loads them.
        Self(std::thread::Builder::new().spawn(load).ok())
    }
}

fn load() -> Option<ash::Entry> {
    // SAFETY: the library is the system's Vulkan loader, and it is unloaded only after its functions were called.
    let entry = unsafe { ash::Entry::load() }.ok()?;
    // SAFETY: no layer is named. To answer, the loader has to load the drivers.
    let _ = unsafe { entry.enumerate_instance_extension_properties(None) };
    Some(entry)
}

impl Drop for Preload {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            // A thread that panicked has loaded nothing.
            let _ = thread.join();
        }
    }
}
