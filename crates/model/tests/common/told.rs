//! Watches a file being read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::{Arc, Mutex};

use sinew_model::{LoadError, Model, Options, Watch};

/// Reads a file whole, and then once for each step that it tells of, to stop there. Returns the model and the shares that
/// were told.
pub fn at_each_step(read: impl Fn(&Options) -> Result<Model, LoadError>) -> (Model, Vec<f64>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let stopped_after = |most: usize| {
        let told = Arc::clone(&told);
        told.lock().unwrap().clear();
        let watch = Watch::new(move |share| {
            let mut told = told.lock().unwrap();
            told.push(share);
            told.len() <= most
        });
        read(&Options { watch, ..Options::default() })
    };
    let model = stopped_after(usize::MAX).unwrap();
    let shares = told.lock().unwrap().clone();
    assert!(shares.is_sorted() && shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    assert!(shares.last().is_some_and(|last| *last > 0.8), "{shares:?}");
    for most in 0..shares.len() {
        assert!(matches!(stopped_after(most), Err(LoadError::Stopped)), "after {most}");
    }
    (model, shares)
}
