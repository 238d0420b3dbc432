//! One game of one submission: the referee owns the rules, the random numbers and the clock.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use estr2048::courses::estr1002;
use estr2048::{Board, Direction, TinyMt32};
use serde::{Deserialize, Serialize};

use crate::player::{Answer, Failure, Limits, Player};
use crate::verdict::{Verdict, signal_name};

/// What a submission did beside playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    Printed,
    ModifiedBoard,
    WroteOutside,
    NonDeterministic,
    ReadsGenerator,
    HasMain,
    NoSuffix,
    NeedsMath,
    Prototype,
    HeaderIncomplete,
    ByteOrderMark,
    Warnings,
    /// The comment block that the assignment asks for is missing.
    NoDeclaration,
    /// Called `aplayer`, as one section of the assignment has it.
    Spelling,
}

/// A whole game, complete enough to be shown again: the board after any move follows from the seed and the moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    pub seed: String,
    pub verdict: Verdict,
    /// What happened, in words for the student.
    pub detail: String,
    /// Sum of the tiles when the game stopped.
    pub sum: i64,
    /// What counts, after the policy for this verdict.
    pub score: i64,
    pub tile: i32,
    /// Moves made.
    pub moves: usize,
    /// One letter for each move made, `U D L R`.
    pub move_string: String,
    /// One hexadecimal digit for each cell drawn, row * 4 + column, the first cell first.
    pub spawns: String,
    /// Wall time of each move, in microseconds; one more than moves if the last one failed.
    pub times_us: Vec<u32>,
    /// CPU time of all moves, in microseconds.
    pub cpu_us: u64,
    /// The CPU time of the slowest move, in microseconds.
    pub slowest_cpu_us: u64,
    /// The board at the end, or the one that was not answered.
    pub board: [i32; 16],
    /// The value of an illegal answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub returned: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signal: Option<String>,
    /// For each thing done beside playing: first move, and what.
    pub flags: BTreeMap<Flag, String>,
    /// The beginning of what was printed.
    pub printed: String,
    /// Whether the time-out is the machine's: the player had too little of its time.
    #[serde(skip)]
    pub suspect: bool,
}

/// How a game is played.
#[derive(Clone, Debug)]
pub struct GameRules {
    pub limits: Limits,
    /// Wall time of a whole game, if limited.
    pub game_time: Option<Duration>,
    /// Bytes that may be printed in a game.
    pub output: u64,
    /// Moves after which the game is stopped as finished.
    pub most_moves: usize,
}

/// Plays a game with these random numbers in a fresh cell. `watch` sees each sum.
pub fn play(
    library: &Path,
    function: &str,
    rules: &GameRules,
    seed: String,
    random: TinyMt32,
    watch: &dyn Fn(i64),
) -> GameRecord {
    let mut game = Game::new(seed, random);
    let mut player = match Player::start(library, function, &rules.limits) {
        Ok(player) => player,
        Err(failure) => {
            game.fail(&failure, function);
            return game.finish(String::new());
        }
    };
    let start = Instant::now();
    let mut printed = 0;
    while !game.rounds.is_over() && game.record.moves < rules.most_moves {
        // Time in which the player waited for a processor does not count.
        let mut used = || start.elapsed().saturating_sub(player.waited().unwrap_or_default());
        if rules.game_time.is_some_and(|limit| start.elapsed() >= limit && used() >= limit) {
            let seconds = start.elapsed().as_secs_f64();
            game.stop(Verdict::Timeout, format!("The whole game took longer than allowed ({seconds:.1} s)."));
            break;
        }
        match player.ask(game.rounds.board()) {
            Ok(answer) => {
                printed += answer.printed;
                if !game.accept(&answer) {
                    break;
                }
                if printed > rules.output {
                    game.fail(&Failure::OutputFlood(printed), function);
                    break;
                }
            }
            Err(failure) => {
                game.fail(&failure, function);
                break;
            }
        }
        watch(game.rounds.score());
        if !game.draw() {
            break;
        }
    }
    game.finish(player.captured())
}

struct Game {
    rounds: estr1002::Game,
    record: GameRecord,
}

impl Game {
    fn new(seed: String, random: TinyMt32) -> Self {
        let record = GameRecord {
            seed,
            verdict: Verdict::Finished,
            detail: String::new(),
            sum: 0,
            score: 0,
            tile: 0,
            moves: 0,
            move_string: String::new(),
            spawns: String::new(),
            times_us: Vec::new(),
            cpu_us: 0,
            slowest_cpu_us: 0,
            board: [0; 16],
            returned: None,
            signal: None,
            flags: BTreeMap::new(),
            printed: String::new(),
            suspect: false,
        };
        let mut game = Self { rounds: estr1002::Game::new(random), record };
        game.note(game.rounds.newest());
        game
    }

    /// Adds a cell. False if the random numbers of this seed reach none: the game ends there.
    fn draw(&mut self) -> bool {
        match self.rounds.draw() {
            Ok(cell) => {
                self.note(Some(cell));
                true
            }
            Err(error) => {
                self.record.detail = format!("The game stopped early: {error}.");
                false
            }
        }
    }

    /// Keeps a drawn cell.
    fn note(&mut self, cell: Option<usize>) {
        self.record.spawns.extend(cell.and_then(|cell| char::from_digit(cell as u32, 16)));
    }

    fn flag(&mut self, flag: Flag, text: String) {
        self.record.flags.entry(flag).or_insert(text);
    }

    /// The number of the move that is being asked for, counted from 1.
    fn number(&self) -> usize {
        self.record.moves + 1
    }

    fn accept(&mut self, answer: &Answer) -> bool {
        let number = self.number();
        self.record.times_us.push(answer.wall.as_micros().min(u32::MAX.into()) as u32);
        let cpu = answer.cpu.as_micros() as u64;
        self.record.cpu_us += cpu;
        self.record.slowest_cpu_us = self.record.slowest_cpu_us.max(cpu);
        if answer.printed > 0 {
            self.flag(Flag::Printed, format!("It printed, first in move {number}. A player must not print."));
        }
        if answer.modified {
            self.flag(
                Flag::ModifiedBoard,
                format!("It changed the board it was given, first in move {number}. Work on a copy of your own."),
            );
        }
        if let Some((row, col)) = answer.outside {
            self.flag(
                Flag::WroteOutside,
                format!(
                    "It wrote outside the board, first in move {number}: at game_board[{row}][{col}]. Both indices run from \
                     0 to 3."
                ),
            );
        }
        let Some(direction) = Direction::from_number(answer.value) else {
            self.record.returned = Some(answer.value);
            self.stop(
                Verdict::IllegalDirection,
                format!(
                    "In move {number} it returned {}. Allowed are 0 (up), 1 (down), 2 (left), 3 (right).",
                    answer.value
                ),
            );
            return false;
        };
        if !self.rounds.slide(direction) {
            self.record.returned = Some(answer.value);
            let legal: Vec<String> = Direction::ALL
                .into_iter()
                .filter(|&other| Board::from(self.rounds.board()).can_move(other))
                .map(|other| format!("{} ({other})", other.number()))
                .collect();
            self.stop(
                Verdict::IllegalMove,
                format!(
                    "In move {number} it returned {} ({direction}), which changes nothing on this board. Possible were {}.",
                    answer.value,
                    legal.join(", ")
                ),
            );
            return false;
        }
        self.record.moves += 1;
        self.record.move_string.push(direction.letter());
        true
    }

    fn stop(&mut self, verdict: Verdict, detail: String) {
        self.record.verdict = verdict;
        self.record.detail = detail;
    }

    fn fail(&mut self, failure: &Failure, function: &str) {
        if let Failure::Timeout { wall, starved, .. } = failure {
            self.record.suspect = *starved;
            self.record.times_us.push(wall.as_micros().min(u32::MAX.into()) as u32);
        }
        if let Failure::Crash { signal, .. } = failure {
            self.record.signal = Some(signal_name(*signal).0);
        }
        let (verdict, detail) = failure_words(failure, self.number(), function);
        self.stop(verdict, detail);
    }

    fn finish(mut self, printed: String) -> GameRecord {
        if !printed.is_empty() {
            let number = self.number();
            self.flag(Flag::Printed, format!("It printed, first in move {number}. A player must not print."));
        }
        self.record.sum = self.rounds.score();
        self.record.score = self.record.sum;
        let cells = self.rounds.board().as_flattened();
        self.record.tile = cells.iter().copied().max().unwrap_or(0);
        self.record.board.copy_from_slice(cells);
        self.record.printed = printed;
        self.record
    }
}

/// What a failure in this move is called, and what to tell the student about it.
pub fn failure_words(failure: &Failure, number: usize, function: &str) -> (Verdict, String) {
    let place = format!("In move {number}");
    match failure {
        Failure::Timeout { wall, own, cpu, starved } => {
            let kind = if *starved || *cpu > own.mul_f64(0.4) {
                "it was still computing: an endless loop, or a search that is too deep"
            } else {
                "it was waiting, not computing: sleep, or input that never comes"
            };
            let (wall, cpu) = (wall.as_secs_f64(), cpu.as_secs_f64());
            (
                Verdict::Timeout,
                format!("{place} it had not answered after {wall:.1} s ({cpu:.1} s of processor time); {kind}."),
            )
        }
        Failure::Crash { signal, stack, address } => {
            let (name, cause) = signal_name(*signal);
            let cause = match address {
                _ if *stack => "the stack is used up: endless recursion, or a very large local array",
                Some(0..4096) if *signal == libc::SIGSEGV => "it used a null pointer",
                _ => cause,
            };
            (Verdict::Crash, format!("{place} it crashed with {name} ({cause})."))
        }
        Failure::Exit(code) => {
            (Verdict::Exit, format!("{place} it ended the whole program: exit({code}). A player must return instead."))
        }
        Failure::Memory(text) => (Verdict::Memory, format!("{place} it ran out of memory: {text}.")),
        Failure::OutputFlood(bytes) => (
            Verdict::OutputFlood,
            format!("{place} it had printed {bytes} bytes, more than allowed. A player must not print."),
        ),
        Failure::Violation(text) => (Verdict::SandboxViolation, format!("{place} {text}. A player may only compute.")),
        Failure::Load(text) if text.contains(function) => {
            (Verdict::WrongName, format!("The program has no function {function} that others can call."))
        }
        Failure::Load(text) => (Verdict::CompileError, format!("The program cannot be loaded: {text}.")),
        Failure::Setup(text) => (Verdict::NeedsHuman, format!("The referee could not start the player: {text}.")),
    }
}
