//! Loads the Vulkan loader and the drivers on a thread of its own, while the program does something else: their
//! libraries are large, and an instance that is made later finds them there.

use std::thread::JoinHandle;

/// Libraries that are being loaded; they stay until this is dropped, which waits for them.
pub struct Preload(Option<JoinHandle<Option<ash::Entry>>>);

impl Preload {
    /// Starts to load them. An error is left to the caller that needs them.
    pub fn start() -> Self {
        // Without a thread, whoever needs them loads them.
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
