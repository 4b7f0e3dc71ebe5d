//! Avoids a crash of Mesa's shader cache on a full disk. Mesa maps the cache's index, which starts as a sparse file,
//! and the process dies of SIGBUS if the disk has no room for one of its pages.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Environment variable that disables the cache.
const OFF: &str = "MESA_SHADER_CACHE_DISABLE";

/// Minimum free space: the index takes 1.3 MiB, and the first shaders take more.
const MIN_FREE_BYTES: u64 = 8 << 20;

/// Disables Mesa's shader cache if its disk is nearly full, and returns the cache's folder in that case.
///
/// Call it while the process has a single thread: it may set an environment variable.
pub fn spare_full_disk() -> Option<PathBuf> {
    if std::env::var_os(OFF).is_some() {
        return None;
    }
    let folder = folder()?;
    if free_bytes(&folder)? >= MIN_FREE_BYTES {
        return None;
    }
    // SAFETY: no other thread reads the environment, as the caller promises.
    unsafe { std::env::set_var(OFF, "true") };
    Some(folder)
}

/// Returns Mesa's cache folder.
fn folder() -> Option<PathBuf> {
    let named =
        |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = ["MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR"].into_iter().find_map(named);
    own.or_else(|| named("XDG_CACHE_HOME")).or_else(|| Some(named("HOME")?.join(".cache")))
}

/// Returns the free space of the disk that holds a folder. For a missing folder, it checks the nearest existing parent.
fn free_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.is_dir())?;
    let path = CString::new(there.as_os_str().as_bytes()).ok()?;
    // SAFETY: all zeros are a valid value of this structure of numbers.
    let mut disk: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the path ends with a zero, and the structure lives as long as the call.
    let is_known = unsafe { libc::statvfs(path.as_ptr(), &mut disk) } == 0;
    is_known.then(|| disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_that_of_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let free = free_bytes(&folder.path().join("not/made/yet")).unwrap();
        assert!(free > MIN_FREE_BYTES, "{free}");
        // This file system holds no user files.
        assert_eq!(free_bytes(Path::new("/proc/self")), Some(0));
    }
}
