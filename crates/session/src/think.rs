//! A thread that thinks about one thing at a time, and stops when something else is asked or nobody waits any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use estr2048::Computer;
use estr2048::player::computer::Effort;
use estr2048::search::Limit;
use estr2048::{Board, Course, Direction};

use crate::advice::{self, Advice, Adviser, Mark, Survives};
use crate::chances::{self, Chances};
use crate::course;
use crate::foresight::{Foresight, Planned};
use crate::start::Start;
use crate::tape::Tape;

/// Something to think about.
#[derive(Clone, Debug)]
pub enum Task {
    /// Values each direction, better and better, then proves survival.
    Advise(Board, Course),
    /// The same, then the best line, then the chances of large tiles by games played to their end.
    Analyse(Board, Course),
    /// Chooses a move as `./game --player ai` does.
    Choose(Board),
    /// Plans the game to its end with known cells, from the board after so many moves on.
    Foresee(Start, Tape, usize),
    /// Compares every move with the best one, from number `from` on and then from the first.
    Survey(Tape, usize),
}

/// What came of it. Of one task there may be several.
#[derive(Clone, Debug)]
pub enum Thought {
    /// The value of each direction, by more effort than the last time.
    Advice(Advice),
    /// For how long the board can be played on in any case.
    Survives(Survives),
    /// The best moves, each with the cell of the new tile that hurts most.
    Line(Vec<(Direction, usize)>),
    /// Games played to their end, so far.
    Chances(Chances),
    /// The move with what else was found; `None` if there is none.
    Choice(Option<Advice>),
    /// How far the plan is.
    Planned(Planned),
    /// The plan.
    Plan(Vec<Direction>),
    /// Move number `.0`, counted from 0, compared with the best.
    Mark(usize, Mark),
    /// Why nothing comes of it.
    Impossible(String),
    /// There is no more to come.
    Done,
}

/// Who hears of thoughts: the number of the task and the thought. It is called on the thinker's thread.
pub type Report = Box<dyn FnMut(u64, Thought) + Send>;

/// The thread, and the number of the task that is wanted.
#[derive(Debug)]
pub struct Thinker {
    orders: Sender<(u64, Task)>,
    wanted: Arc<AtomicU64>,
    last: u64,
}

/// No task has this number.
const NONE: u64 = 0;

impl Thinker {
    /// A thread that waits for something to think about.
    ///
    /// # Errors
    /// If the system gives no thread, or `ESTR_WEIGHTS` names a file that is no network.
    pub fn start(report: Report) -> Result<Self> {
        let adviser = Adviser::new(advice::network()?);
        let (orders, waiting) = mpsc::channel();
        let wanted = Arc::new(AtomicU64::new(NONE));
        let mind = Mind { adviser, report, wanted: wanted.clone(), task: NONE };
        let builder = thread::Builder::new().name("thinker".into());
        builder.spawn(move || mind.think(&waiting)).context("no thread for the computer player")?;
        Ok(Self { orders, wanted, last: NONE })
    }

    /// Gives up what was asked before, and starts this. The number comes back with every thought.
    pub fn ask(&mut self, task: Task) -> u64 {
        self.last += 1;
        self.wanted.store(self.last, Ordering::Relaxed);
        // A thread that is gone reports nothing; that is all that could be done about it here, too.
        let _ = self.orders.send((self.last, task));
        self.last
    }

    /// Gives up what was asked before. It ends within a fraction of a second.
    pub fn stop(&mut self) {
        self.wanted.store(NONE, Ordering::Relaxed);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Mind {
    adviser: Adviser,
    report: Report,
    wanted: Arc<AtomicU64>,
    task: u64,
}

/// Further and further: the last of these is as long as a stop may have to wait.
const EFFORTS: [Duration; 4] =
    [Duration::from_millis(10), Duration::from_millis(60), Duration::from_millis(200), Duration::from_millis(400)];
/// Boards that a proof of survival looks at, further and further.
const PROOFS: [u64; 3] = [2_000, 30_000, 200_000];
/// Moves of the best line.
const LINE: usize = 10;
/// Games that are played to their end for the chances.
const GAMES: u32 = 200;
/// The effort for each move of a survey: the same game gets the same marks.
pub const SURVEY: Limit = Limit::Nodes(1000);

impl Mind {
    fn think(mut self, waiting: &Receiver<(u64, Task)>) {
        while let Ok((number, task)) = waiting.recv() {
            self.task = number;
            if self.stopped() {
                continue;
            }
            match task {
                Task::Advise(board, course) => _ = self.advise(&board, course),
                Task::Analyse(board, course) => self.analyse(&board, course),
                Task::Choose(board) => {
                    let advice = self.adviser.advise(&board, Effort::USUAL);
                    self.say(Thought::Choice(advice));
                }
                Task::Foresee(start, tape, at) => {
                    if let Err(error) = self.foresee(&start, &tape, at) {
                        self.say(Thought::Impossible(format!("{error:#}")));
                    }
                }
                Task::Survey(tape, from) => self.survey(&tape, from),
            }
            self.say(Thought::Done);
        }
    }

    fn stopped(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) != self.task
    }

    fn say(&mut self, thought: Thought) {
        if !self.stopped() {
            (self.report)(self.task, thought);
        }
    }

    /// False if nothing can move.
    fn advise(&mut self, board: &Board, course: Course) -> bool {
        for time in EFFORTS {
            if self.stopped() {
                return false;
            }
            let Some(advice) = self.adviser.advise(board, Limit::Time(time).into()) else { return false };
            self.say(Thought::Advice(advice));
            if advice.unit == advice::Unit::Points {
                break;
            }
        }
        for boards in PROOFS {
            if self.stopped() {
                return false;
            }
            let Some(survives) = advice::survival(board, course, boards) else { break };
            self.say(Thought::Survives(survives));
            if survives.exact {
                break;
            }
        }
        true
    }

    fn analyse(&mut self, board: &Board, course: Course) {
        let (true, Some(packed)) = (self.advise(board, course) && course::only_twos(course), advice::packed(board))
        else {
            return;
        };
        let Ok(Some(network)) = advice::network() else { return };
        let (wanted, task) = (self.wanted.clone(), self.task);
        let stopped = move || wanted.load(Ordering::Relaxed) != task;
        let line = self.adviser.best_line(packed, LINE, &stopped);
        self.say(Thought::Line(line));
        let mut computer = Computer::new(Some(network), chances::EFFORT);
        let mut random = Chances::random(packed);
        let mut chances = Chances::default();
        while chances.games < GAMES && chances.add(&mut computer, packed, &mut random, &stopped) {
            self.say(Thought::Chances(chances));
        }
    }

    fn foresee(&mut self, start: &Start, tape: &Tape, at: usize) -> Result<()> {
        let mut foresight = Foresight::new(start, tape, at)?;
        let network = advice::network()?.context("planning needs a network: set ESTR_WEIGHTS to a network file")?;
        while !self.stopped() {
            let planned = foresight.advance(&network, Duration::from_millis(100));
            self.say(Thought::Planned(planned));
            if planned.finished {
                self.say(Thought::Plan(foresight.line()));
                break;
            }
        }
        Ok(())
    }

    fn survey(&mut self, tape: &Tape, from: usize) {
        for number in (from..tape.len()).chain(0..from.min(tape.len())) {
            if self.stopped() {
                return;
            }
            let Some(step) = tape.steps().get(number) else { return };
            if let Some(advice) = self.adviser.advise(&tape.board(number), SURVEY.into()) {
                self.say(Thought::Mark(number, Mark::of(&advice, step.direction)));
            }
        }
    }
}
