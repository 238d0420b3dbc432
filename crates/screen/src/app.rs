//! The game as a whole: what is going on, and how it answers keys, thoughts and time.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use estr2048::{Board, Direction};
use estr2048_session::advice::{Advice, Survives};
use estr2048_session::record::{self, Opened, Watched};
use estr2048_session::slide::{self, Way};
use estr2048_session::store::Store;
use estr2048_session::think::{Task, Thinker, Thought};
use estr2048_session::{End, Session};
use estr2048_toolbox::files;

use crate::board::Look;
use crate::colours::Palette;
use crate::computer::{Computer, Who};
use crate::keys::{self, Action, ReplayAction};
use crate::replay::Replay;
use crate::terminal::Outside;

/// Everything that the game hears of.
pub enum News {
    Outside(Outside),
    /// From the thinker of hints and moves.
    Thought(u64, Thought),
    /// From the thinker that compares the moves of a replay.
    Survey(u64, Thought),
}

impl From<Outside> for News {
    fn from(outside: Outside) -> Self {
        Self::Outside(outside)
    }
}

/// What the loop around the game has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    GoOn,
    Redraw,
    Suspend,
    /// The end, with this exit status.
    Quit(u8),
}

/// What lies over the board.
pub enum Over {
    Nothing,
    Help,
    Prompt(Prompt),
    /// The games of a class, and which of them is chosen.
    Games(Vec<Watched>, usize),
}

/// A question with one line for the answer.
pub struct Prompt {
    pub asks: Asks,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    SaveTo,
    Open,
    GoTo,
}

/// A move that is shown.
pub struct Motion {
    pub before: Board,
    pub ways: Vec<Way>,
    since: Instant,
}

/// How long tiles slide, and how long a new tile is small.
const SLIDE: Duration = Duration::from_millis(75);
const GROW: Duration = Duration::from_millis(60);
/// Faster moves are not shown as movement.
const SHORTEST_PAUSE: Duration = Duration::from_millis(190);
/// The computer's moves are written at most so often; a person's at once.
const KEEP_EVERY: Duration = Duration::from_millis(300);

#[derive(Default)]
pub struct Hint {
    pub shown: bool,
    asked: Option<u64>,
    pub advice: Option<Advice>,
    pub survives: Option<Survives>,
}

pub struct App {
    pub session: Session,
    pub look: Look,
    animated: bool,
    store: Option<Store>,
    pub best: i64,
    pub message: String,
    pub over: Over,
    pub replay: Option<Replay>,
    /// Without a game behind it: leaving the replay ends the program.
    pub only_replay: bool,
    pub hint: Hint,
    pub computer: Computer,
    pub motion: Option<Motion>,
    pub fresh: Option<(usize, Instant)>,
    /// The file that `o` proposes, and whether the board is saved there at the end, as PSA3 does.
    pub file: Option<PathBuf>,
    pub save_at_end: bool,
    thinker: Option<Thinker>,
    surveyor: Option<Thinker>,
    surveyed: Option<u64>,
    news: Sender<News>,
    clock: Instant,
    unkept_since: Option<Instant>,
}

impl App {
    pub fn new(session: Session, store: Option<Store>, look: Look, animated: bool, news: Sender<News>) -> Self {
        let best = best_of(store.as_ref(), &session);
        Self {
            session,
            look,
            animated,
            store,
            best,
            message: String::new(),
            over: Over::Nothing,
            replay: None,
            only_replay: false,
            hint: Hint::default(),
            computer: Computer::new(),
            motion: None,
            fresh: None,
            file: None,
            save_at_end: false,
            thinker: None,
            surveyor: None,
            surveyed: None,
            news,
            clock: Instant::now(),
            unkept_since: None,
        }
    }

    /// Answers news.
    pub fn hear(&mut self, news: News) -> Flow {
        match news {
            News::Outside(Outside::Key(key)) => {
                self.message.clear();
                return self.key(&key);
            }
            News::Outside(Outside::Resized) => {}
            News::Outside(Outside::Signal(signal)) => return Flow::Quit(128 + signal as u8),
            News::Outside(Outside::Gone) => return Flow::Quit(1),
            News::Thought(number, thought) => self.thought(number, thought),
            News::Survey(number, thought) => {
                if let (Some(replay), Thought::Mark(at, mark)) = (&mut self.replay, thought)
                    && self.surveyed == Some(number)
                    && let Some(place) = replay.marks.get_mut(at)
                {
                    *place = Some(mark);
                }
            }
        }
        Flow::GoOn
    }

    fn key(&mut self, key: &crossterm::event::KeyEvent) -> Flow {
        use crossterm::event::{KeyCode, KeyModifiers};
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return Flow::Quit(0);
        }
        match &mut self.over {
            Over::Help => {
                self.over = Over::Nothing;
                return Flow::GoOn;
            }
            Over::Prompt(prompt) => {
                match key.code {
                    KeyCode::Esc => self.over = Over::Nothing,
                    KeyCode::Enter => {
                        let (asks, text) = (prompt.asks, std::mem::take(&mut prompt.text));
                        self.over = Over::Nothing;
                        if let Err(error) = self.answer(asks, text.trim()) {
                            self.message = format!("{error:#}");
                        }
                    }
                    KeyCode::Backspace => _ = prompt.text.pop(),
                    KeyCode::Char('u') if control => prompt.text.clear(),
                    KeyCode::Char(letter) if !control => prompt.text.push(letter),
                    _ => {}
                }
                return Flow::GoOn;
            }
            Over::Games(games, chosen) => {
                let last = games.len().saturating_sub(1);
                match key.code {
                    KeyCode::Down | KeyCode::Char('j' | 's') => *chosen = (*chosen + 1).min(last),
                    KeyCode::Up | KeyCode::Char('k' | 'w') => *chosen = chosen.saturating_sub(1),
                    KeyCode::PageDown => *chosen = (*chosen + 10).min(last),
                    KeyCode::PageUp => *chosen = chosen.saturating_sub(10),
                    KeyCode::Home => *chosen = 0,
                    KeyCode::End => *chosen = last,
                    KeyCode::Enter | KeyCode::Char(' ') => {
                        if let Some(game) = games.get(*chosen) {
                            let replay = Replay::new(game.title.clone(), game.tape.clone(), 0);
                            self.watch(replay);
                        }
                    }
                    KeyCode::Esc | KeyCode::Char('q') => {
                        self.over = Over::Nothing;
                        if self.only_replay && self.replay.is_none() {
                            return Flow::Quit(0);
                        }
                    }
                    _ => {}
                }
                return Flow::GoOn;
            }
            Over::Nothing => {}
        }
        let done = match self.replay {
            Some(_) => keys::in_replay(key).map(|action| self.in_replay(action)),
            None => keys::in_game(key, self.session.course()).map(|action| self.in_game(action)),
        };
        done.unwrap_or_else(|| {
            self.message = "? shows the keys".into();
            Flow::GoOn
        })
    }

    fn in_game(&mut self, action: Action) -> Flow {
        match action {
            Action::Move(direction) => {
                self.stop_computer();
                self.make_move(direction, false);
            }
            Action::Undo => {
                self.stop_computer();
                if self.session.undo() {
                    self.elsewhere();
                } else {
                    self.message = "this is the first board".into();
                }
            }
            Action::Redo => {
                self.stop_computer();
                match self.session.tape().steps().get(self.session.at()) {
                    Some(step) => self.make_move(step.direction, false),
                    None => self.message = "no move was taken back".into(),
                }
            }
            Action::ToStart => self.go_to(0),
            Action::ToEnd => self.go_to(usize::MAX),
            Action::NewGame => self.begin(true),
            Action::SameSeed => self.begin(false),
            Action::Previous => self.previous(),
            Action::Save => {
                let usual = || PathBuf::from(record::usual_name(&self.session));
                let text = self.file.clone().unwrap_or_else(usual).display().to_string();
                self.over = Over::Prompt(Prompt { asks: Asks::SaveTo, text });
            }
            Action::Open => self.over = Over::Prompt(Prompt { asks: Asks::Open, text: String::new() }),
            Action::Review => {
                self.stop_computer();
                let replay = Replay::of_session(&self.session, "this game".into(), self.session.at());
                self.watch(replay);
            }
            Action::Hint => {
                self.hint.shown = !self.hint.shown;
                self.think_again();
            }
            Action::Computer => self.start_or_stop(Who::Fair),
            Action::Clairvoyant => self.start_or_stop(Who::Clairvoyant),
            Action::SingleStep => {
                if self.computer.who.is_some() {
                    self.stop_computer();
                } else if self.session.end().is_none() {
                    self.computer.start(Who::Fair, true);
                }
            }
            Action::Faster => self.change_speed(true),
            Action::Slower => self.change_speed(false),
            Action::Palette => self.change_palette(),
            Action::Help => self.over = Over::Help,
            Action::Redraw => return Flow::Redraw,
            Action::Suspend => return Flow::Suspend,
            Action::Quit => return Flow::Quit(0),
        }
        Flow::GoOn
    }

    fn in_replay(&mut self, action: ReplayAction) -> Flow {
        let Some(replay) = &mut self.replay else { return Flow::GoOn };
        match action {
            ReplayAction::By(_)
            | ReplayAction::Start
            | ReplayAction::End
            | ReplayAction::NextMark
            | ReplayAction::LastMark => {
                replay.runs = None;
                let before = replay.at;
                if action == ReplayAction::By(1) {
                    self.step_replay();
                } else if replay.go(action) {
                    (self.motion, self.fresh) = (None, None);
                } else if matches!(action, ReplayAction::NextMark | ReplayAction::LastMark) && replay.at == before {
                    let all = replay.compared() == replay.tape.len();
                    let known = if all { "" } else { " among those compared so far" };
                    self.message = format!("no further move lost anything{known}");
                }
            }
            ReplayAction::GoTo => self.over = Over::Prompt(Prompt { asks: Asks::GoTo, text: String::new() }),
            ReplayAction::Run => {
                replay.runs = match replay.runs {
                    Some(_) => None,
                    None => Some(Instant::now()),
                };
                if replay.at == replay.tape.len() && replay.runs.is_some() {
                    replay.at = 0;
                }
            }
            ReplayAction::Faster => self.change_speed(true),
            ReplayAction::Slower => self.change_speed(false),
            ReplayAction::PlayOn => match replay.session() {
                Some(session) => {
                    self.leave_replay();
                    self.only_replay = false;
                    self.replace(session, "the game goes on from here; b goes back to the one before");
                }
                None => self.message = "this game can only be looked at: its file does not tell its seed".into(),
            },
            ReplayAction::Palette => self.change_palette(),
            ReplayAction::Help => self.over = Over::Help,
            ReplayAction::Redraw => return Flow::Redraw,
            ReplayAction::Suspend => return Flow::Suspend,
            ReplayAction::Leave if self.only_replay && !matches!(self.over, Over::Games(..)) => return Flow::Quit(0),
            ReplayAction::Leave => self.leave_replay(),
            ReplayAction::Quit => return Flow::Quit(0),
        }
        Flow::GoOn
    }

    fn leave_replay(&mut self) {
        self.replay = None;
        (self.motion, self.fresh) = (None, None);
        self.surveyor = None;
        self.think_again();
    }

    /// Shows a game again, and begins to compare its moves.
    pub fn watch(&mut self, replay: Replay) {
        self.over = Over::Nothing;
        self.stop_computer();
        (self.motion, self.fresh) = (None, None);
        let task = Task::Survey(replay.tape.clone(), replay.at);
        self.replay = Some(replay);
        if self.surveyor.is_none() {
            let news = self.news.clone();
            self.surveyor = self.thinker_that(Box::new(move |number, thought| {
                let _ = news.send(News::Survey(number, thought));
            }));
        }
        self.surveyed = self.surveyor.as_mut().map(|surveyor| surveyor.ask(task));
    }

    fn thinker_that(&mut self, report: estr2048_session::think::Report) -> Option<Thinker> {
        Thinker::start(report).inspect_err(|error| self.message = format!("{error:#}")).ok()
    }

    fn ask(&mut self, task: Task) -> Option<u64> {
        if self.thinker.is_none() {
            let news = self.news.clone();
            self.thinker = self.thinker_that(Box::new(move |number, thought| {
                let _ = news.send(News::Thought(number, thought));
            }));
        }
        self.thinker.as_mut().map(|thinker| thinker.ask(task))
    }

    fn answer(&mut self, asks: Asks, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        match asks {
            Asks::SaveTo => {
                let path = PathBuf::from(text);
                files::write(&path, record::text_for(&self.session, &path))?;
                self.message = format!("saved to {text}");
                self.file = Some(path);
            }
            Asks::Open => self.open(Path::new(text))?,
            Asks::GoTo => {
                let at: usize = text.parse().with_context(|| format!("{text:?} is no number of a move"))?;
                if let Some(replay) = &mut self.replay {
                    replay.at = at.min(replay.tape.len());
                    (self.motion, self.fresh) = (None, None);
                }
            }
        }
        Ok(())
    }

    /// Goes on with the game of a file, or shows the games of a class.
    fn open(&mut self, path: &Path) -> Result<()> {
        match record::open(path)? {
            Opened::Session(session) => self.replace(*session, "opened; v shows it from its start, b goes back"),
            Opened::Games(games) => self.over = Over::Games(games, 0),
        }
        Ok(())
    }

    /// Another game takes the place of this one, which `b` brings back.
    fn replace(&mut self, session: Session, message: &str) {
        self.stop_computer();
        self.tick();
        if self.session.at() > 0
            && let Some(store) = &self.store
            && let Err(error) = store.keep_previous(&self.session)
        {
            self.message = format!("{error:#}");
            return;
        }
        self.session = session;
        self.message = message.into();
        self.best = best_of(self.store.as_ref(), &self.session);
        self.elsewhere();
    }

    fn begin(&mut self, reseeded: bool) {
        let start = self.session.start();
        let start = if reseeded { start.reseeded() } else { start.clone() };
        match Session::begin(start) {
            Ok(session) => self.replace(session, "a new game; b goes back to the one before"),
            Err(error) => self.message = format!("{error:#}"),
        }
    }

    fn previous(&mut self) {
        let course = self.session.course();
        match self.store.as_ref().map(|store| store.load_previous(course)) {
            Some(Ok(Some(session))) => self.replace(session, "the game before; b goes back again"),
            Some(Err(error)) => self.message = format!("{error:#}"),
            _ => self.message = "there is no game before this one".into(),
        }
    }

    fn go_to(&mut self, at: usize) {
        self.stop_computer();
        if let Err(error) = self.session.go_to(at) {
            self.message = error.to_string();
        }
        self.elsewhere();
    }

    /// The board is another one, not by a move.
    fn elsewhere(&mut self) {
        (self.motion, self.fresh) = (None, None);
        self.computer.plan.clear();
        self.changed(false);
    }

    fn make_move(&mut self, direction: Direction, by_computer: bool) {
        let before = self.session.board().clone();
        match self.session.make_move(direction) {
            Ok(true) => {
                let now = Instant::now();
                let shown = self.animated && (!by_computer || self.computer.pause() >= SHORTEST_PAUSE);
                if shown {
                    let ways = slide::ways(&before, direction);
                    self.motion = Some(Motion { before, ways, since: now });
                }
                let step = self.session.tape().steps().get(self.session.at() - 1);
                let cell = step.and_then(|step| step.placed).map(|(cell, _)| cell);
                self.fresh = cell.filter(|_| shown).map(|cell| (cell, now + SLIDE));
                if by_computer {
                    self.session.helped = true;
                } else {
                    self.computer.plan.clear();
                }
                self.best = self.best.max(if self.session.helped { 0 } else { self.session.score() });
                self.changed(by_computer);
            }
            Ok(false) if self.session.end().is_some() => self.message = "the game is over: u takes back".into(),
            Ok(false) => self.message = "that changes nothing".into(),
            Err(error) => {
                self.stop_computer();
                self.message = format!("{error}");
            }
        }
        if self.session.end().is_some() {
            self.stop_computer();
        }
    }

    /// Something is to be kept, and to be thought about.
    fn changed(&mut self, by_computer: bool) {
        self.unkept_since.get_or_insert_with(Instant::now);
        if !by_computer {
            self.keep();
            self.think_again();
        }
    }

    /// Keeps the game.
    pub fn keep(&mut self) {
        self.tick();
        self.unkept_since = None;
        // A replay of a file leaves the game of the course alone.
        let Some(store) = self.store.as_ref().filter(|_| !self.only_replay) else { return };
        if let Err(error) = store.keep(&self.session) {
            self.message = format!("this game is not kept: {error:#}");
        }
    }

    fn tick(&mut self) {
        let passed = self.clock.elapsed();
        self.clock = Instant::now();
        if self.session.end().is_none() && self.session.at() > 0 && self.replay.is_none() {
            self.session.played += passed;
        }
    }

    fn think_again(&mut self) {
        (self.hint.advice, self.hint.survives, self.hint.asked) = (None, None, None);
        if self.hint.shown && self.computer.who.is_none() && self.session.end().is_none() && self.replay.is_none() {
            let task = Task::Advise(self.session.board().clone(), self.session.course());
            self.hint.asked = self.ask(task);
        } else if let Some(thinker) = self.thinker.as_mut().filter(|_| self.computer.who.is_none()) {
            thinker.stop();
        }
    }

    fn start_or_stop(&mut self, who: Who) {
        if self.computer.who == Some(who) {
            self.stop_computer();
        } else if self.session.end().is_none() {
            self.computer.start(who, false);
        } else {
            self.message = "the game is over: u takes back, n begins a new one".into();
        }
    }

    fn stop_computer(&mut self) {
        if self.computer.who.is_some() {
            self.computer.stop();
            self.keep();
            self.think_again();
        }
    }

    fn change_speed(&mut self, faster: bool) {
        self.computer.change_speed(faster);
        self.message = self.computer.speed();
    }

    fn change_palette(&mut self) {
        let (palette, name) = match self.look.colours.palette {
            Palette::Classic => (Palette::Safe, "colours: the larger the brighter, for any colour vision"),
            Palette::Safe => (Palette::Classic, "colours: classic"),
        };
        self.look.colours.palette = palette;
        self.message = name.into();
    }

    fn thought(&mut self, number: u64, thought: Thought) {
        if self.computer.waits_for == Some(number) {
            match thought {
                Thought::Choice(advice) => {
                    self.computer.waits_for = None;
                    self.computer.chosen = advice.map(|advice| advice.best);
                    (self.hint.advice, self.hint.survives) = (advice, None);
                    if advice.is_none() {
                        self.stop_computer();
                    }
                }
                Thought::Planned(planned) => self.computer.planned = Some(planned),
                Thought::Plan(line) => {
                    self.computer.waits_for = None;
                    self.computer.plan = line.into();
                    if self.computer.plan.is_empty() {
                        self.message = "no line of play was found".into();
                        self.stop_computer();
                    }
                }
                Thought::Impossible(why) => {
                    self.stop_computer();
                    self.message = why;
                }
                _ => {}
            }
        } else if self.hint.asked == Some(number) {
            match thought {
                Thought::Advice(advice) => self.hint.advice = Some(advice),
                Thought::Survives(survives) => self.hint.survives = Some(survives),
                _ => {}
            }
        }
    }

    /// Does what is due, and tells when something is due again.
    pub fn advance(&mut self, now: Instant) -> Option<Instant> {
        if self.motion.as_ref().is_some_and(|motion| now >= motion.since + SLIDE) {
            self.motion = None;
        }
        if self.fresh.is_some_and(|(_, since)| now >= since + GROW) {
            self.fresh = None;
        }
        if self.unkept_since.is_some_and(|since| now >= since + KEEP_EVERY) {
            self.keep();
        }
        self.drive(now);
        self.run_replay(now);
        const FRAME: Duration = Duration::from_millis(16);
        let frame = (self.motion.is_some() || self.fresh.is_some()).then(|| now + FRAME);
        let ready = self.computer.chosen.is_some() || !self.computer.plan.is_empty();
        let computer = (self.computer.who.is_some() && ready).then(|| self.computer.due());
        let replay = self.replay.as_ref().and_then(|replay| replay.runs);
        let keep = self.unkept_since.map(|since| since + KEEP_EVERY);
        [frame, computer, replay, keep].into_iter().flatten().min()
    }

    /// Lets the computer go on.
    fn drive(&mut self, now: Instant) {
        /// So long moves are made without a look at the screen.
        const BATCH: Duration = Duration::from_millis(12);
        while let Some(who) = self.computer.who.filter(|_| self.replay.is_none()) {
            let chosen = match who {
                Who::Fair => self.computer.chosen,
                Who::Clairvoyant => self.computer.plan.front().copied(),
            };
            let Some(direction) = chosen else {
                if self.computer.waits_for.is_none() {
                    let task = match who {
                        Who::Fair => Task::Choose(self.session.board().clone()),
                        Who::Clairvoyant => {
                            let (tape, at) = (self.session.tape().clone(), self.session.at());
                            Task::Foresee(self.session.start().clone(), tape, at)
                        }
                    };
                    self.hint.asked = None;
                    self.computer.waits_for = self.ask(task);
                    if self.computer.waits_for.is_none() {
                        self.computer.stop();
                    }
                }
                return;
            };
            if !self.computer.is_due(Instant::now()) || now.elapsed() > BATCH {
                return;
            }
            self.computer.plan.pop_front();
            self.make_move(direction, true);
            self.computer.moved(Instant::now());
            if self.computer.once {
                self.stop_computer();
            }
        }
    }

    fn step_replay(&mut self) {
        let Some(replay) = &mut self.replay else { return };
        let Some(step) = replay.tape.steps().get(replay.at).copied() else { return };
        let now = Instant::now();
        (self.motion, self.fresh) = (None, None);
        if self.animated && (replay.runs.is_none() || self.computer.pause() >= SHORTEST_PAUSE) {
            let before = replay.board();
            let ways = slide::ways(&before, step.direction);
            self.motion = Some(Motion { before, ways, since: now });
            self.fresh = step.placed.map(|(cell, _)| (cell, now + SLIDE));
        }
        replay.at += 1;
    }

    fn run_replay(&mut self, now: Instant) {
        const BATCH: usize = 2000;
        for _ in 0..BATCH {
            let pause = self.computer.pause();
            let Some(replay) = &mut self.replay else { return };
            let Some(due) = replay.runs else { return };
            if replay.at >= replay.tape.len() {
                replay.runs = None;
                return;
            }
            if now < due {
                return;
            }
            replay.runs = Some((due + pause).max(now - Duration::from_millis(100)));
            self.step_replay();
            if pause.is_zero() && self.replay.as_ref().is_some_and(|replay| replay.at.is_multiple_of(100)) {
                return;
            }
        }
    }

    /// Keeps a game that another one takes the place of, for `b`.
    pub fn remember(&self, before: &Session) -> Result<()> {
        self.store.as_ref().map_or(Ok(()), |store| store.keep_previous(before))
    }

    /// The last thing: everything is kept.
    pub fn end(&mut self) -> Result<()> {
        if self.unkept_since.is_some() || self.session.at() > 0 {
            self.keep();
        }
        match &self.file {
            Some(file) if self.save_at_end => files::write(file, self.session.save()),
            _ => Ok(()),
        }
    }

    /// How far the movement is, from 0 to 1.
    pub fn part(&self, motion: &Motion) -> f32 {
        (motion.since.elapsed().as_secs_f32() / SLIDE.as_secs_f32()).min(1.0)
    }

    /// What to say under a game that is over.
    pub fn ending(&self) -> Option<&'static str> {
        match self.session.end()? {
            End::Won => Some("2048! You win. n: new game, u: take back"),
            End::Over => Some("Game over. u takes back, n begins a new one, v looks at it"),
        }
    }
}

/// The best score of games like this one, this one with it if nobody helped.
fn best_of(store: Option<&Store>, session: &Session) -> i64 {
    let own = if session.helped { 0 } else { session.score() };
    store.map_or(0, |store| store.best(session)).max(own)
}
