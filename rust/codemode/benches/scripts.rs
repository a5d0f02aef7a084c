//! How long scripts take and what they hold: `cargo bench -p toolcrib-codemode`.
//!
//! The tools answer from a timer, so what is measured is the sandbox and the way to a host and back.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use std::{
    collections::BinaryHeap,
    fs,
    sync::{
        Arc, Condvar, Mutex, OnceLock, Weak,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use toolcrib_codemode::{
    Completion, Host, Namespace, Outcome, Pool, Reply, ReplyKind, Resolved, Script, ScriptLimits,
    Search, Summary, ThreadHooks,
};

const MEGABYTE: &str =
    "const r = await tools.rows({}); return r.structuredContent.filter(row => row.id % 1000 === 0)";

type Due = (std::cmp::Reverse<Instant>, usize);
type Work = Box<dyn FnOnce() + Send>;

/// Completes calls when they are due.
#[derive(Default)]
struct Timer {
    due: Mutex<(BinaryHeap<Due>, Vec<Option<Work>>)>,
    changed: Condvar,
}

impl Timer {
    fn start() -> Arc<Self> {
        let timer = Arc::new(Self::default());
        let ticking = Arc::clone(&timer);
        thread::spawn(move || ticking.run());
        timer
    }

    fn after(&self, delay: Duration, work: impl FnOnce() + Send + 'static) {
        let mut due = self.due.lock().expect("the timer lives");
        let slot = due.1.len();
        due.1.push(Some(Box::new(work)));
        due.0
            .push((std::cmp::Reverse(Instant::now() + delay), slot));
        self.changed.notify_one();
    }

    fn run(&self) {
        let mut due = self.due.lock().expect("the timer lives");
        loop {
            let now = Instant::now();
            match due.0.peek().map(|(at, _)| at.0) {
                Some(at) if at <= now => {
                    let slot = due.0.pop().expect("it is there").1;
                    let work = due.1[slot].take();
                    drop(due);
                    work.into_iter().for_each(|work| work());
                    due = self.due.lock().expect("the timer lives");
                }
                Some(at) => {
                    due = self
                        .changed
                        .wait_timeout(due, at - now)
                        .expect("the timer lives")
                        .0
                }
                None => due = self.changed.wait(due).expect("the timer lives"),
            }
        }
    }
}

struct BenchHost {
    timer: Arc<Timer>,
    rows: Arc<str>,
    script: OnceLock<Weak<Script>>,
    outcome: Sender<Outcome>,
}

impl Host for BenchHost {
    fn call(&self, id: u32, name: &str, arguments: &str) {
        let Some(script) = self.script.get().and_then(Weak::upgrade) else {
            return;
        };
        let answer: Arc<str> = match name {
            "rows" => Arc::clone(&self.rows),
            _ => arguments.into(),
        };
        let delay = match name {
            "slow" => Duration::from_millis(5),
            "never" => return,
            _ => Duration::ZERO,
        };
        let complete = move || {
            let reply = Reply {
                kind: ReplyKind::Completed,
                text: String::new(),
                structured: Some(answer.to_string()),
                content: None,
            };
            script.complete(id, Completion::Replied(reply));
        };
        if delay.is_zero() {
            complete()
        } else {
            self.timer.after(delay, complete)
        }
    }

    fn refresh(&self, id: u32) {
        if let Some(script) = self.script.get().and_then(Weak::upgrade) {
            script.complete(id, Completion::Refreshed);
        }
    }

    fn abandon(&self, _: u32) {}

    fn resolve(&self, name: &str) -> Resolved {
        Resolved::Tool(name.to_owned())
    }

    fn search(&self, _: &Search) -> Vec<Summary> {
        Vec::new()
    }

    fn describe(&self, _: &str) -> Option<String> {
        None
    }

    fn namespace(&self, _: &str) -> Result<Namespace, Vec<String>> {
        Err(Vec::new())
    }

    fn tools(&self, _: usize) -> (Vec<Summary>, usize) {
        (Vec::new(), 0)
    }

    fn load(&self, _: &str) -> Option<String> {
        None
    }

    fn commit(&self, _: Vec<(String, Option<String>)>) -> Result<(), String> {
        Ok(())
    }

    fn finished(&self, outcome: Outcome) {
        let _ = self.outcome.send(outcome);
    }
}

struct Bench {
    pool: Pool,
    timer: Arc<Timer>,
    rows: Arc<str>,
}

impl Bench {
    fn start(&self, code: &str) -> (Arc<Script>, Receiver<Outcome>) {
        let (sender, outcome) = channel();
        let host = Arc::new(BenchHost {
            timer: Arc::clone(&self.timer),
            rows: Arc::clone(&self.rows),
            script: OnceLock::new(),
            outcome: sender,
        });
        let script = self
            .pool
            .script(code.to_owned(), host.clone())
            .expect("it is short");
        host.script.set(Arc::downgrade(&script)).expect("once");
        self.pool.start(&script).expect("there is room");
        (script, outcome)
    }

    fn run(&self, code: &str) -> Outcome {
        let (_script, outcome) = self.start(code);
        let outcome = outcome.recv().expect("it ends");
        assert_eq!(outcome.failure, None, "{code}");
        outcome
    }
}

fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4_096
}

/// Processor time of this process so far, in steps of 10 ms.
fn processor() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    Duration::from_millis(10 * ticks)
}

fn main() {
    let rows: Vec<String> = (0..20_000)
        .map(|id| format!(r#"{{"id":{id},"name":"row number {id} of many"}}"#))
        .collect();
    let rows = format!("[{}]", rows.join(","));
    let megabytes = rows.len() as f64 / 1e6;
    let mut limits = ScriptLimits::default();
    limits.script_threads = 64;
    limits.script_queue = 100_000;
    limits.script_parallel_calls = 20;
    let bench = Bench {
        pool: Pool::new(limits, ThreadHooks::default()),
        timer: Timer::start(),
        rows: rows.into(),
    };
    // Before anything else has left memory behind.
    let before = resident();
    let waiting: Vec<_> = (0..64)
        .map(|_| bench.start("await tools.never({})"))
        .collect();
    while bench.pool.load().0 < 64 {
        thread::yield_now();
    }
    thread::sleep(Duration::from_millis(200));
    println!(
        "Memory of a script that waits, thread included: {} KB",
        (resident() - before) / 64 / 1_000
    );
    waiting.iter().for_each(|(script, _)| script.cancel());
    waiting.iter().for_each(|(_, outcome)| drop(outcome.recv()));
    drop(waiting);
    println!("| script | p50 | p99 | processor time, mean |\n|---|--:|--:|--:|");
    const CALL: &str = "return (await tools.echo({a: 1})).structuredContent";
    const PARALLEL: &str = "await Promise.all([...Array(20).keys()].map(n => tools.slow({n})))";
    for (what, code, rounds, pause) in [
        ("empty", "", 400, 0),
        ("empty, 20 ms after another", "", 200, 20),
        ("one call", CALL, 400, 0),
        ("one call, 20 ms after another", CALL, 200, 20),
        ("20 parallel calls of 5 ms", PARALLEL, 200, 0),
        ("1 MB filtered to 1 KB", MEGABYTE, 100, 0),
    ] {
        let spent = processor();
        let mut times: Vec<Duration> = (0..rounds + rounds / 10)
            .map(|_| {
                thread::sleep(Duration::from_millis(pause));
                let began = Instant::now();
                bench.run(code);
                began.elapsed()
            })
            .skip(rounds as usize / 10)
            .collect();
        times.sort_unstable();
        let spent = (processor() - spent).as_secs_f64() * 1e3 / f64::from(rounds + rounds / 10);
        let at = |part: usize| {
            times[(times.len() * part / 100).min(times.len() - 1)].as_secs_f64() * 1e3
        };
        println!(
            "| {what} | {:.2} ms | {:.2} ms | {spent:.2} ms |",
            at(50),
            at(99)
        );
    }
    println!("\nThe rows were {megabytes:.2} MB.");
    let began = Instant::now();
    let many: Vec<_> = (0..4_000).map(|_| bench.start("return 1")).collect();
    many.iter()
        .for_each(|(_, outcome)| drop(outcome.recv().expect("it ends")));
    println!(
        "Empty scripts per second, all threads: {:.0}",
        4_000.0 / began.elapsed().as_secs_f64()
    );
    drop(many);
}
