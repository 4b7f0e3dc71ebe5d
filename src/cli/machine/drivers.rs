//! Explains the Vulkan loader's generic errors: a broken driver description, no room for a driver's
//! libraries, or limits of the process.

use std::path::{Path, PathBuf};

use crate::threads;
use crate::vulkan::{VulkanError, vk};

/// The largest description of a driver that is read; those of drivers have 200 bytes.
const MAX_DESCRIPTION: u64 = 1 << 20;

/// The room that the largest driver and its compiler take while they start.
const DRIVER_BYTES: usize = 256 << 20;

/// The calls in which the loader looks for drivers.
const FIRST_CALLS: [&str; 4] = [
    "vkCreateInstance",
    "vkEnumerateInstanceExtensionProperties",
    "vkEnumerateInstanceLayerProperties",
    "vkEnumeratePhysicalDevices",
];

/// The error, or its cause, because the loader has only a few codes.
pub fn explained(error: VulkanError) -> VulkanError {
    let result = match &error {
        VulkanError::NoLoader { cause } => return limited(cause.clone()).unwrap_or(error),
        VulkanError::NoDriver { result } => *result,
        // Once there is a device, a broken description beside its driver's explains nothing.
        VulkanError::Call { call, result, .. } if FIRST_CALLS.contains(call) => *result,
        _ => return error,
    };
    let is_general = [
        vk::Result::ERROR_INCOMPATIBLE_DRIVER,
        vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        vk::Result::ERROR_INITIALIZATION_FAILED,
    ];
    if !is_general.contains(&result) {
        return error;
    }
    let broken = descriptions().into_iter().find_map(|file| Some((fault(&file)?, file)));
    match broken {
        Some((cause, file)) => VulkanError::BrokenDriver { file: file.display().to_string(), cause },
        None if !threads::is_room(DRIVER_BYTES) => VulkanError::NoRoom { cause: result.to_string() },
        None => limited(result.to_string()).unwrap_or(error),
    }
}

/// Limits of a process under which drivers fail to start. Each has its name in `/proc/self/limits`, its shell command and
/// unit, and the value from which it is sufficient.
const LIMITS: [(&str, &str, u64, u64); 4] = [
    // The driver of a GPU takes more of it than the machine has memory.
    ("Max address space", "ulimit -v", 1 << 10, u64::MAX),
    ("Max stack size", "ulimit -s", 1 << 10, 1 << 20),
    ("Max processes", "ulimit -u", 1, 256),
    ("Max open files", "ulimit -n", 1, 64),
];

/// The error code on Unix of a process that has reached its limit of open files (`EMFILE`).
const TOO_MANY_FILES: i32 = 24;

/// Returns an error that names this process's tight limits; `None` if none is tight or the system does not list them.
fn limited(cause: String) -> Option<VulkanError> {
    #[allow(clippy::disallowed_methods, reason = "a system file, not an input")]
    let limits = match std::fs::read_to_string("/proc/self/limits") {
        Ok(limits) => tight(&limits),
        Err(error) if error.raw_os_error() == Some(TOO_MANY_FILES) => vec!["'ulimit -n'".to_owned()],
        Err(_) => Vec::new(),
    };
    (!limits.is_empty()).then(|| VulkanError::Limited { cause, limits: limits.join(", ") })
}

/// Returns the tight limits of `/proc/self/limits`.
fn tight(limits: &str) -> Vec<String> {
    let soft = |name: &str| {
        let row = limits.lines().find_map(|line| line.strip_prefix(name))?;
        row.split_whitespace().next()?.parse::<u64>().ok()
    };
    LIMITS
        .into_iter()
        .filter_map(|(name, flag, unit, enough)| {
            let most = soft(name).filter(|most| *most < enough)?;
            Some(format!("'{flag} {}'", most / unit))
        })
        .collect()
}

/// The files that tell the loader of drivers, where they are named or in the usual folders.
fn descriptions() -> Vec<PathBuf> {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].into_iter().find_map(std::env::var_os);
    let places: Vec<PathBuf> = match named {
        Some(named) => std::env::split_paths(&named).collect(),
        None => ["/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"]
            .map(PathBuf::from)
            .into(),
    };
    let inside = |place: PathBuf| match std::fs::read_dir(&place) {
        Ok(files) => files.flatten().map(|file| file.path()).collect(),
        Err(_) => vec![place],
    };
    places
        .into_iter()
        .flat_map(inside)
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .collect()
}

/// Returns the fault of a driver's description; `None` if it names a library that may exist.
fn fault(file: &Path) -> Option<String> {
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some("no such file".to_owned()),
        Err(error) => return Some(error.to_string()),
        Ok(metadata) if !metadata.is_file() => return Some("not a regular file".to_owned()),
        Ok(metadata) if metadata.len() > MAX_DESCRIPTION => return Some("it is too large".to_owned()),
        Ok(_) => {}
    }
    #[allow(clippy::disallowed_methods, reason = "a system file, not an input")]
    let text = match std::fs::read(file) {
        Ok(text) => text,
        Err(error) => return Some(error.to_string()),
    };
    let json: serde_json::Value = match serde_json::from_slice(&text) {
        Ok(json) => json,
        Err(error) => return Some(format!("not JSON: {error}")),
    };
    let Some(library) = json["ICD"]["library_path"].as_str() else {
        return Some("it names no library (ICD.library_path)".to_owned());
    };
    // The loader searches the system's libraries for a name without a folder.
    let path = file.parent().unwrap_or(Path::new("")).join(library);
    (library.contains('/') && !path.exists()).then(|| format!("no library '{library}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tight_limits_are_said_as_the_shell_sets_them() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max stack size            65536                unlimited            bytes     \n\
             Max processes             96364                96364                processes \n\
             Max open files            5                    20000                files     \n\
             Max address space         1610612736           unlimited            bytes     \n";
        assert_eq!(tight(limits), ["'ulimit -v 1572864'", "'ulimit -s 64'", "'ulimit -n 5'"]);
        let usual = limits.replace("1610612736", "unlimited").replace("65536", "8388608");
        assert_eq!(tight(&usual.replace(" 5 ", " 1024 ")), [""; 0]);
        assert_eq!(tight(""), [""; 0]);
    }

    #[test]
    fn descriptions_of_drivers_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("driver.json");
        assert_eq!(fault(&file).as_deref(), Some("no such file"));
        assert_eq!(fault(folder.path()).as_deref(), Some("not a regular file"));
        std::fs::write(folder.path().join("driver.so"), "").unwrap();
        for (text, cause) in [
            ("{broken", "not JSON: key must be a string at line 1 column 2"),
            ("[]", "it names no library (ICD.library_path)"),
            (r#"{"ICD": {"library_path": "./gone.so"}}"#, "no library './gone.so'"),
            (r#"{"ICD": {"library_path": "./driver.so"}}"#, ""),
            (r#"{"ICD": {"library_path": "libvulkan_x.so"}}"#, ""),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(fault(&file).unwrap_or_default(), cause, "{text}");
        }
    }
}
