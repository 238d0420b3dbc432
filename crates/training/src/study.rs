//! All lessons, gone through as often as asked for, each time in another order.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use estr2048_toolbox::output::tell;
use estr2048_toolbox::progress::Progress as Bar;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::lessons::Lesson;

/// In so many parts, at most, the step size changes while all lessons are gone through once.
const PARTS_OF_A_PASS: usize = 100;

/// How to go through lessons.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub passes: u32,
    pub threads: u64,
    pub seed: u64,
    /// Shows no progress.
    pub quiet: bool,
}

/// Goes through all lessons once in each pass until all passes are done or `asked_to_stop` is set; returns how many were
/// done. `learn` is given some of them and the share of all that is over, and returns the sum of the distances to what the
/// chances were held for.
pub fn study(
    lessons: &[Lesson],
    plan: Plan,
    learn: impl Fn(&[Lesson], f64) -> f64 + Sync,
    asked_to_stop: &AtomicBool,
) -> u32 {
    let mut lessons = lessons.to_vec();
    let mut random = SmallRng::seed_from_u64(plan.seed);
    let part_len = lessons.len().div_ceil(PARTS_OF_A_PASS).max(1);
    // With few lessons a pass has fewer parts: of 150 lessons, 75 of two.
    let parts = u64::from(plan.passes) * lessons.len().div_ceil(part_len) as u64;
    let bar = Bar::new(parts, "parts of all passes", plan.quiet);
    let mut passes = 0;
    'passes: while passes < plan.passes {
        lessons.shuffle(&mut random);
        let mut distance = 0.0;
        for part in lessons.chunks(part_len) {
            if asked_to_stop.load(Relaxed) {
                break 'passes;
            }
            let over = bar.done() as f64 / parts as f64;
            let share = part.len().div_ceil(plan.threads as usize);
            distance += std::thread::scope(|scope| {
                let learn = &learn;
                let threads: Vec<_> = part.chunks(share).map(|part| scope.spawn(move || learn(part, over))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum::<f64>()
            });
            bar.at(bar.done() + 1, "");
        }
        let mean = distance / lessons.len() as f64;
        passes += 1;
        if !plan.quiet || passes == plan.passes {
            bar.aside(|| tell(format_args!("pass {passes}: chances held for {mean:.4} too much or too little")));
        }
    }
    bar.finish();
    passes
}
