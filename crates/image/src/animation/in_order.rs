//! Parallel work on all cores with results in order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, sync_channel};

/// Runs jobs on all cores while the caller makes the next ones, and delivers their results in order. At most two jobs per
/// core wait. After an error no job is left running.
pub fn in_order<T: Send + 'static, J: FnOnce() -> T + Send + 'static, E>(
    jobs: impl Iterator<Item = Result<J, E>>,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let most = rayon::current_num_threads().saturating_mul(2).max(1);
    let mut running: VecDeque<Receiver<T>> = VecDeque::with_capacity(most);
    let run = || {
        for job in jobs {
            let job = job?;
            if running.len() == most {
                running.pop_front().map_or(Ok(()), |oldest| take(result(&oldest)))?;
            }
            let (done, result) = sync_channel(1);
            rayon::spawn(move || {
                // After an error no thread receives the result.
                let _ = done.send(job());
            });
            running.push_back(result);
        }
        while let Some(oldest) = running.pop_front() {
            take(result(&oldest))?;
        }
        Ok(())
    };
    let ran = run();
    for left in running {
        drop(result(&left));
    }
    ran
}

fn result<T>(job: &Receiver<T>) -> T {
    job.recv().expect("a job sends its result: if it panics, rayon ends the process")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    /// Returns a job; later jobs are faster.
    fn job(number: u32, done: &Arc<AtomicU32>) -> impl FnOnce() -> u32 + Send + 'static {
        let done = Arc::clone(done);
        move || {
            std::thread::sleep(Duration::from_millis(u64::from(20 - number)));
            done.fetch_add(1, Ordering::SeqCst);
            number
        }
    }

    #[test]
    fn results_come_in_order() {
        let done = Arc::default();
        let mut taken = Vec::new();
        let jobs = (0..20).map(|number| Ok::<_, ()>(job(number, &done)));
        in_order(jobs, |number| {
            taken.push(number);
            Ok(())
        })
        .unwrap();
        assert_eq!(taken, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_waits_for_what_was_begun() {
        let done = Arc::default();
        let mut begun = 0;
        let jobs = (0..20).map(|number| match number {
            7 => Err("no more"),
            _ => {
                begun += 1;
                Ok(job(number, &done))
            }
        });
        assert_eq!(in_order(jobs, |_| Ok(())), Err("no more"));
        assert_eq!((begun, done.load(Ordering::SeqCst)), (7, 7));

        let done = Arc::default();
        let jobs = (0..20).map(|number| Ok(job(number, &done)));
        let second = |number| if number == 1 { Err("full") } else { Ok(()) };
        assert_eq!(in_order(jobs, second), Err("full"));
        let at_error = done.load(Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(done.load(Ordering::SeqCst), at_error);
    }
}
