//! Whether the time limit of a move holds: the times of 10 000 moves for each limit, at p50, p99, p99.9 and the longest.
//!
//! Wall time is what counts for the limit; the processor time beside it tells how much of an excess belongs to other
//! programs on the same core.

use std::time::{Duration, Instant};

use estr2048::courses::estr1002::Game;
use estr2048::network::weights;
use estr2048::player::computer::Computer;
use estr2048::search::Limit;
use estr2048::{Parameters, TinyMt32};

const MOVES: usize = 10_000;
const LIMITS_US: [u64; 2] = [1000, 20_000];

fn main() {
    let Ok(Some(network)) = weights::standard() else {
        eprintln!("there is no network to play with");
        return;
    };
    for us in LIMITS_US {
        let mut computer = Computer::new(Some(network.clone()), Limit::Time(Duration::from_micros(us)));
        let (mut wall, mut processor) = times(&mut computer);
        println!("time limit {us} us, {MOVES} moves");
        println!("  wall time       {}", quantiles(&mut wall));
        println!("  processor time  {}", quantiles(&mut processor));
    }
}

/// The wall and processor time of every move of as many games as it takes.
fn times(computer: &mut Computer) -> (Vec<Duration>, Vec<Duration>) {
    let (mut wall, mut processor) = (Vec::with_capacity(MOVES), Vec::with_capacity(MOVES));
    for seed in 1.. {
        let mut game: Game = Game::new(TinyMt32::new(seed, Parameters::ZERO));
        loop {
            let (wall_before, processor_before) = (Instant::now(), processor_time());
            let choice = computer.choose(game.board());
            processor.push(processor_time().saturating_sub(processor_before));
            wall.push(wall_before.elapsed());
            if wall.len() == MOVES {
                return (wall, processor);
            }
            let Some(direction) = choice else { break };
            if game.play(direction).is_err() {
                break;
            }
        }
    }
    (wall, processor)
}

fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every system that this is measured on, and `time` is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn quantiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() as f64 * share).ceil() as usize).clamp(1, times.len()) - 1].as_micros();
    format!("p50 {} us, p99 {} us, p99.9 {} us, longest {} us", at(0.5), at(0.99), at(0.999), at(1.0))
}
