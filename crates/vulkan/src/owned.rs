//! Each object's reference to the device, with the object's name. Closing a device reports the objects that outlive it.

use std::ops::Deref;
use std::sync::{Arc, PoisonError};

use super::device::Device;

/// A named reference to the device, held by every object created from it.
pub(super) struct Owned {
    device: Arc<Device>,
    number: u64,
}

impl Owned {
    /// Registers an object called `name`.
    pub(super) fn new(device: &Arc<Device>, name: &str) -> Self {
        let mut living = device.living.lock().unwrap_or_else(PoisonError::into_inner);
        let number = living.next;
        living.next += 1;
        living.names.insert(number, name.to_owned());
        Self { device: Arc::clone(device), number }
    }
}

impl Deref for Owned {
    type Target = Device;

    fn deref(&self) -> &Device {
        &self.device
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let mut living = self.device.living.lock().unwrap_or_else(PoisonError::into_inner);
        living.names.remove(&self.number);
    }
}
