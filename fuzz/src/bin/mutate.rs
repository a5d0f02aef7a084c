//! `mutate INPUTS SEED [TARGET…]`: tries that many inputs for each target, and keeps what it finds
//! in `fuzz/artifacts`.

use std::{env, fs, path::Path, process::ExitCode, time::Instant};

use toolcrib_fuzz::{
    drive::{self, Finding},
    targets,
};

/// The smallest stack that a Java thread is usually given.
const STACK: usize = 256 << 10;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok());
    let (Some(inputs), Some(seed)) = (number(), number()) else {
        eprintln!("mutate INPUTS SEED [TARGET…]");
        return ExitCode::from(2);
    };
    let wanted: Vec<String> = arguments.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = false;
    for (name, target) in targets::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        let corpus = drive::corpus(&folder.join("corpus").join(name)).expect("there is a corpus");
        let start = Instant::now();
        match drive::drive(target, corpus, inputs, seed, STACK) {
            Ok(outcome) => {
                println!(
                    "{name}: {} inputs in {} s, the slowest took {:?}",
                    outcome.tried,
                    start.elapsed().as_secs(),
                    outcome.slowest
                );
                keep(folder, "slowest", name, &outcome.slowest_input);
            }
            Err(Finding { input, said }) => {
                found = true;
                println!("{name}: {said}");
                keep(folder, "finding", name, &input);
            }
        }
    }
    if found { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn keep(folder: &Path, what: &str, target: &str, input: &[u8]) {
    let artifacts = folder.join("artifacts");
    fs::create_dir_all(&artifacts).expect("artifacts can be kept");
    let path = artifacts.join(format!("{target}-{what}"));
    fs::write(&path, input).expect("artifacts can be kept");
}
