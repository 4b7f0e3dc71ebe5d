//! The folders of the system's fonts.

use std::path::PathBuf;

/// The folders to look in: those that `SINEW_FONTS` lists, as `PATH` does, or the usual ones.
pub fn folders() -> Vec<PathBuf> {
    if let Some(listed) = std::env::var_os("SINEW_FONTS") {
        return std::env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty()).collect();
    }
    let of = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = of("HOME");
    let at_home = |below: &str| home.as_ref().map(|home| home.join(below));
    if cfg!(target_os = "macos") {
        let system = ["/System/Library/Fonts", "/Library/Fonts"].map(PathBuf::from);
        return at_home("Library/Fonts").into_iter().chain(system).collect();
    }
    if cfg!(windows) {
        return of("SystemRoot").map(|root| root.join("Fonts")).into_iter().collect();
    }
    let data = of("XDG_DATA_HOME").or_else(|| at_home(".local/share")).map(|data| data.join("fonts"));
    let shared = std::env::var_os("XDG_DATA_DIRS").filter(|folders| !folders.is_empty());
    let shared = shared.unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let shared: Vec<PathBuf> = std::env::split_paths(&shared)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("fonts"))
        .collect();
    data.into_iter().chain(at_home(".fonts")).chain(shared).collect()
}
