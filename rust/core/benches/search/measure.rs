//! Times and where they are written.

use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

/// Processor time of this thread since it was started: what others do on the machine meanwhile
/// does not count.
pub struct Stopwatch(Duration);

impl Stopwatch {
    pub fn start() -> Self {
        Self(Self::now())
    }

    pub fn elapsed(&self) -> Duration {
        Self::now() - self.0
    }

    fn now() -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
}

pub fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Percentiles in microseconds.
pub struct Latency {
    pub p50: f64,
    pub p99: f64,
}

impl Latency {
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let percentile = |part: f64| micros(times[((times.len() - 1) as f64 * part) as usize]);
        Self {
            p50: percentile(0.5),
            p99: percentile(0.99),
        }
    }

    /// The best of `rounds` for each item: percentiles then tell items apart, not the moments at
    /// which the machine had other work.
    pub fn over<T>(items: &[T], rounds: usize, run: impl Fn(&T)) -> Self {
        let mut times = vec![Duration::MAX; items.len()];
        for _ in 0..rounds {
            for (item, best) in items.iter().zip(&mut times) {
                let start = Stopwatch::start();
                run(item);
                *best = start.elapsed().min(*best);
            }
        }
        Self::of(times)
    }
}

/// Writes `value` to `target/bench/<name>` in the workspace.
pub fn write(name: &str, value: &Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
    let text = serde_json::to_string_pretty(value).expect("JSON");
    std::fs::create_dir_all(&folder).expect("a writable target folder");
    std::fs::write(folder.join(name), text).expect("a writable target folder");
}
