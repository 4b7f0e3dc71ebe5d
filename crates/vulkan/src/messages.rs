//! Messages of the validation layer and the loader, logged through `tracing` and counted for callers.

use std::borrow::Cow;
use std::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

use ash::vk;

/// Messages of one Vulkan instance and of sinew's leak check. They outlive the instance.
#[derive(Debug, Default)]
pub struct Messages {
    errors: Mutex<Vec<String>>,
    warnings: Mutex<Vec<String>>,
}

/// Maximum number of messages kept: a broken program can repeat one for ever.
const KEPT: usize = 1000;

impl Messages {
    /// Returns every error so far, oldest first.
    pub fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns every warning so far, oldest first.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts and logs an error.
    pub fn error(&self, text: String) {
        tracing::error!(target: "sinew::vulkan", "{text}");
        keep(&self.errors, text);
    }

    /// Counts and logs a warning. Warnings fail only tests.
    pub fn warning(&self, text: String) {
        tracing::warn!(target: "sinew::vulkan", "{text}");
        keep(&self.warnings, text);
    }

    /// Returns the settings of a messenger that reports to `self`, which must outlive it.
    pub(super) fn messenger_info(&self) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
        use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
        use vk::DebugUtilsMessageTypeFlagsEXT as Type;
        vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::WARNING | Severity::ERROR)
            .message_type(Type::GENERAL | Type::VALIDATION | Type::PERFORMANCE)
            .pfn_user_callback(Some(receive))
            .user_data(std::ptr::from_ref(self).cast_mut().cast())
    }
}

fn keep(list: &Mutex<Vec<String>>, text: String) {
    let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
    if list.len() < KEPT {
        list.push(text);
    }
}

unsafe extern "system" fn receive(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    messages: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: both pointers come from the loader: `data` lives for this call, and `messages` is what
    // `messenger_info` put in, which the instance keeps alive as long as its messenger.
    let (data, messages) = unsafe { (data.as_ref(), messages.cast::<Messages>().as_ref()) };
    if let (Some(data), Some(messages)) = (data, messages) {
        let text = describe(data);
        // The loader complains about each broken driver. That is not sinew's error, and creating the instance fails if
        // no driver is left.
        if self::text(data.p_message_id_name) == "Loader Message" {
            tracing::debug!(target: "sinew::vulkan", "{text}");
        } else if severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR) {
            messages.error(text);
        } else {
            messages.warning(text);
        }
    }
    vk::FALSE
}

/// Formats a message in one line: its id, its text, and the names of the objects it concerns.
fn describe(data: &vk::DebugUtilsMessengerCallbackDataEXT<'_>) -> String {
    let objects = if data.p_objects.is_null() {
        &[]
    } else {
        // SAFETY: the loader gives `object_count` objects at `p_objects` for the length of the call.
        unsafe { std::slice::from_raw_parts(data.p_objects, data.object_count as usize) }
    };
    let names: Vec<String> = objects
        .iter()
        .map(|object| match text(object.p_object_name) {
            name if name.is_empty() => format!("{:?} {:#x}", object.object_type, object.object_handle),
            name => format!("{:?} '{name}'", object.object_type),
        })
        .collect();
    let message = text(data.p_message).replace('\n', " ");
    // Older layers repeat the id and the objects before the message.
    let message = match message.split_once("| MessageID = ").and_then(|(_, rest)| rest.split_once(" | ")) {
        Some((_, rest)) => rest,
        None => &message,
    };
    format!("[{}] {message} (objects: {})", text(data.p_message_id_name), names.join(", "))
}

fn text<'a>(pointer: *const std::ffi::c_char) -> Cow<'a, str> {
    if pointer.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: Vulkan's strings are null-terminated UTF-8, and live for the length of the call.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy()
}
