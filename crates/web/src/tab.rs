//! One tab of a browser: its game, and what it thinks about. When the tab goes away, so does all of this.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use axum::extract::ws::{Message, WebSocket};
use estr2048::{Board, Course, Direction};
use estr2048_session::record::{self, Opened, Watched};
use estr2048_session::think::{Task, Thinker, Thought};
use estr2048_session::{Session, Start, course};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::file;
use crate::house::House;
use crate::message::{self, Answer, Game, Kind, Recording, Request, Who};

/// Answers one socket until it is closed.
pub async fn serve(mut socket: WebSocket, house: &House) {
    let (thoughts, mut heard) = unbounded_channel();
    let mut tab = Tab::new(house, thoughts);
    loop {
        let due = tab.due();
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => tab.hear(&text),
                Some(Ok(Message::Binary(_))) => tab.tell(Answer::error("messages are text: one JSON object each")),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            },
            thought = heard.recv() => {
                if let Some(thought) = thought {
                    tab.note(thought, &mut heard);
                }
            }
            () = wait_until(due) => tab.drive(),
        }
        for answer in std::mem::take(&mut tab.answers) {
            let text = serde_json::to_string(&answer).unwrap_or_default();
            if socket.send(Message::Text(text.into())).await.is_err() {
                tab.keep();
                return;
            }
        }
    }
    tab.keep();
}

async fn wait_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due.into()).await,
        None => std::future::pending().await,
    }
}

/// Which of a tab's two thinkers, and the number of its task.
type Heard = (bool, u64, Thought);

struct Tab<'a> {
    house: &'a House,
    session: Option<Session>,
    answers: Vec<Answer>,
    thoughts: UnboundedSender<Heard>,
    thinker: Option<Thinker>,
    surveyor: Option<Thinker>,
    surveyed: Option<u64>,
    hint: bool,
    /// What the thinker was asked last, and for whom.
    asked: Option<(u64, Purpose)>,
    watch: Option<Watch>,
    /// The games of a class, or of the journal that was opened last.
    games: Vec<Watched>,
    /// How the game began that is looked at, if it can be gone on with.
    looked_at: Option<(Start, Vec<Direction>)>,
    kept: Instant,
    clock: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Hint,
    Analysis,
    Move,
}

struct Watch {
    player: Who,
    pause: Duration,
    once: bool,
    due: Instant,
    chosen: Option<Direction>,
    plan: VecDeque<Direction>,
}

/// The computer's moves are written to disk at most so often.
const KEEP_EVERY: Duration = Duration::from_millis(500);
/// With no pause between them, moves are shown once in so long.
const FRAME: Duration = Duration::from_millis(30);
/// A person who is away for longer is not playing.
const LONGEST_THOUGHT: Duration = Duration::from_secs(120);

impl<'a> Tab<'a> {
    fn new(house: &'a House, thoughts: UnboundedSender<Heard>) -> Self {
        let now = Instant::now();
        Self {
            house,
            session: None,
            answers: vec![Answer::Hello { class: house.class.is_some() }],
            thoughts,
            thinker: None,
            surveyor: None,
            surveyed: None,
            hint: false,
            asked: None,
            watch: None,
            games: Vec::new(),
            looked_at: None,
            kept: now,
            clock: now,
        }
    }

    fn tell(&mut self, answer: Answer) {
        self.answers.push(answer);
    }

    fn hear(&mut self, text: &str) {
        let done = serde_json::from_str(text).context("this is no request").and_then(|request| self.answer(request));
        if let Err(error) = done {
            self.tell(Answer::error(format!("{error:#}")));
        }
    }

    fn answer(&mut self, request: Request) -> Result<()> {
        match request {
            Request::Resume { course } => self.resume(named(&course)?)?,
            Request::Start { course, rows, cols, seed } => {
                let course = named(&course)?;
                let usual = Start::usual(course);
                let (rows, cols) = (rows.unwrap_or(usual.rows), cols.unwrap_or(usual.cols));
                ensure!(course.allows(rows, cols), "{} has no board of {rows} x {cols}", course::title(course));
                let start = Start { rows, cols, ..usual };
                let start = seed.map_or_else(|| start.reseeded(), |seed| Start { seed, ..start.clone() });
                self.replace(Session::begin(start)?);
            }
            Request::Move { direction } => {
                self.stop_watching();
                self.make_move(direction, false)?;
            }
            Request::Undo {} => {
                self.stop_watching();
                self.session()?.undo();
                self.changed();
            }
            Request::Redo {} => {
                self.stop_watching();
                let session = self.session()?;
                if let Some(step) = session.tape().steps().get(session.at()).copied() {
                    self.make_move(step.direction, false)?;
                }
            }
            Request::Goto { at } => {
                self.stop_watching();
                self.session()?.go_to(at)?;
                self.changed();
            }
            Request::Hint { on } => {
                self.hint = on;
                self.think_again();
            }
            Request::Watch { player, pause, once } => {
                self.watch(player, Duration::from_millis(pause.min(10_000)), once)?
            }
            Request::Stop {} => {
                self.stop_watching();
                self.stop_thinking();
                self.think_again();
            }
            Request::Open { text } => match record::read(text.as_bytes())? {
                Opened::Session(session) => self.look_at_session("the opened file".into(), &session),
                Opened::Games(games) => self.offer(games),
            },
            Request::Class {} => self.open_class()?,
            Request::Look { game } => {
                let game = self.games.get(game).with_context(|| format!("there is no game {game}"))?.clone();
                self.looked_at = None;
                self.look(game.title, game.tape, false);
            }
            Request::Review {} => {
                self.stop_watching();
                let session = self.session.take().context("there is no game yet")?;
                self.look_at_session("this game".into(), &session);
                self.session = Some(session);
            }
            Request::Continue { at } => {
                let (start, moves) = self.looked_at.clone().context("this game can only be looked at")?;
                let mut session = Session::after(start, moves)?;
                session.go_to(at)?;
                self.surveyor = None;
                self.replace(session);
            }
            Request::Analyse { board } => {
                self.stop_watching();
                ensure!(board.len() == 16, "a board has 16 cells, not {}", board.len());
                let board = Board::over(4, 4, board)?;
                ensure!(
                    estr2048_session::advice::packed(&board).is_some(),
                    "only boards with tiles from 2 to 65536, at most one of 65536, can be analysed"
                );
                self.think(Task::Analyse(board, Course::Estr1002), Purpose::Analysis)?;
            }
            Request::File { kind } => self.file(kind)?,
        }
        Ok(())
    }

    fn session(&mut self) -> Result<&mut Session> {
        self.session.as_mut().context("there is no game yet")
    }

    fn resume(&mut self, course: Course) -> Result<()> {
        self.keep();
        self.stop_watching();
        let kept = self.house.store.as_ref().map(|store| store.load(course));
        let session = match kept {
            Some(Ok(Some(session))) => session,
            Some(Err(error)) => {
                self.tell(Answer::Message { text: format!("the kept game cannot be read: {error:#}") });
                if let Some(store) = &self.house.store {
                    let _ = store.set_aside(course);
                }
                Session::begin(Start::usual(course))?
            }
            _ => Session::begin(Start::usual(course))?,
        };
        self.session = Some(session);
        self.clock = Instant::now();
        self.changed();
        Ok(())
    }

    fn replace(&mut self, session: Session) {
        self.stop_watching();
        if let (Some(store), Some(before)) = (&self.house.store, &self.session)
            && before.at() > 0
            && before.course() == session.course()
            && let Err(error) = store.keep_previous(before)
        {
            self.tell(Answer::Message { text: format!("the game before is not kept: {error:#}") });
        }
        self.session = Some(session);
        self.clock = Instant::now();
        self.changed();
    }

    /// The board is another one, not by a move.
    fn changed(&mut self) {
        self.tell_game(false);
        self.keep();
        self.think_again();
    }

    fn tell_game(&mut self, moved: bool) {
        let Some(session) = &self.session else { return };
        let best = self.house.store.as_ref().map_or(0, |store| store.best(session));
        let game = Game::of(session, best, moved);
        self.tell(Answer::Game(game));
    }

    fn make_move(&mut self, direction: Direction, by_computer: bool) -> Result<bool> {
        let passed = self.clock.elapsed().min(LONGEST_THOUGHT);
        let session = self.session()?;
        let made = session.make_move(direction)?;
        if made {
            session.helped |= by_computer;
            session.played += passed;
            self.clock = Instant::now();
            if !by_computer {
                self.tell_game(true);
                self.keep();
                self.think_again();
            }
        }
        Ok(made)
    }

    /// Keeps the game; what fails is told once.
    fn keep(&mut self) {
        self.kept = Instant::now();
        let (Some(store), Some(session)) = (&self.house.store, &self.session) else { return };
        if let Err(error) = store.keep(session) {
            self.tell(Answer::Message { text: format!("this game is not kept: {error:#}") });
        }
    }

    fn thinker(&self, surveys: bool) -> Result<Thinker> {
        let thoughts = self.thoughts.clone();
        Thinker::start(Box::new(move |number, thought| {
            // A tab that is gone hears nothing, and its thinker is told to stop.
            let _ = thoughts.send((surveys, number, thought));
        }))
    }

    fn think(&mut self, task: Task, purpose: Purpose) -> Result<()> {
        if self.thinker.is_none() {
            self.thinker = Some(self.thinker(false)?);
        }
        if let Some(thinker) = &mut self.thinker {
            self.asked = Some((thinker.ask(task), purpose));
        }
        Ok(())
    }

    fn stop_thinking(&mut self) {
        self.asked = None;
        if let Some(thinker) = &mut self.thinker {
            thinker.stop();
        }
    }

    fn think_again(&mut self) {
        if self.watch.is_some() {
            return;
        }
        self.stop_thinking();
        let Some(session) = self.session.as_ref().filter(|session| self.hint && session.end().is_none()) else {
            return;
        };
        let task = Task::Advise(session.board().clone(), session.course());
        if let Err(error) = self.think(task, Purpose::Hint) {
            self.tell(Answer::error(format!("{error:#}")));
        }
    }

    fn watch(&mut self, player: Who, pause: Duration, once: bool) -> Result<()> {
        ensure!(self.session()?.end().is_none(), "the game is over");
        match &mut self.watch {
            Some(watch) if watch.player == player && !once => {
                watch.pause = pause;
                watch.due = watch.due.min(Instant::now() + pause);
            }
            _ => {
                let due = Instant::now();
                self.watch = Some(Watch { player, pause, once, due, chosen: None, plan: VecDeque::new() });
                self.tell(Answer::Watching { player: Some(player) });
                self.choose()?;
            }
        }
        Ok(())
    }

    /// Asks for the next move, or for a plan.
    fn choose(&mut self) -> Result<()> {
        let (Some(watch), Some(session)) = (&self.watch, &self.session) else { return Ok(()) };
        let task = match watch.player {
            Who::Fair => Task::Choose(session.board().clone()),
            Who::Clairvoyant => Task::Foresee(session.start().clone(), session.tape().clone(), session.at()),
        };
        self.think(task, Purpose::Move)
    }

    fn stop_watching(&mut self) {
        if self.watch.take().is_some() {
            self.stop_thinking();
            self.tell(Answer::Watching { player: None });
            self.keep();
        }
    }

    /// When the next move is to be made.
    fn due(&self) -> Option<Instant> {
        let watch = self.watch.as_ref()?;
        (watch.chosen.is_some() || !watch.plan.is_empty()).then_some(watch.due)
    }

    /// Makes the moves that are due.
    fn drive(&mut self) {
        let started = Instant::now();
        let mut moved = false;
        while let Some(watch) = &mut self.watch {
            let Some(direction) = watch.chosen.take().or_else(|| watch.plan.pop_front()) else { break };
            let (pause, once) = (watch.pause, watch.once);
            watch.due = started + pause.max(FRAME.min(pause));
            let made = self.make_move(direction, true);
            moved = true;
            let ended = self.session.as_ref().is_none_or(|session| session.end().is_some());
            match made {
                Ok(true) if !ended && !once => {}
                Ok(_) => {
                    self.tell_game(true);
                    self.stop_watching();
                    self.think_again();
                    return;
                }
                Err(error) => {
                    self.stop_watching();
                    self.tell(Answer::error(format!("{error:#}")));
                    return;
                }
            }
            if !pause.is_zero() || started.elapsed() >= FRAME {
                break;
            }
        }
        if !moved {
            return;
        }
        self.tell_game(self.watch.as_ref().is_some_and(|watch| !watch.pause.is_zero()));
        if let Some(watch) = &mut self.watch {
            watch.due = watch.due.max(started + if watch.pause.is_zero() { FRAME / 2 } else { Duration::ZERO });
            if watch.plan.is_empty()
                && let Err(error) = self.choose()
            {
                self.tell(Answer::error(format!("{error:#}")));
            }
        }
        if self.kept.elapsed() > KEEP_EVERY {
            self.keep();
        }
    }

    /// Passes on what came of thinking.
    fn note(&mut self, (surveys, number, thought): Heard, more: &mut UnboundedReceiver<Heard>) {
        /// So many marks go into a message.
        const MARKS: usize = 500;
        if surveys {
            let mut marks = Vec::new();
            let mut next = Some((surveys, number, thought));
            while let Some((surveys, number, thought)) = next {
                match thought {
                    Thought::Mark(at, mark) if surveys && self.surveyed == Some(number) => {
                        marks.push(message::mark(at, mark))
                    }
                    thought if !surveys => self.think_of(number, thought),
                    _ => {}
                }
                next = if marks.len() < MARKS { more.try_recv().ok() } else { None };
            }
            if !marks.is_empty() {
                self.tell(Answer::Marks { marks });
            }
        } else {
            self.think_of(number, thought);
        }
    }

    fn think_of(&mut self, number: u64, thought: Thought) {
        let Some((asked, purpose)) = self.asked else { return };
        if asked != number {
            return;
        }
        match (purpose, thought) {
            (Purpose::Move, Thought::Choice(advice)) => {
                let Some(watch) = &mut self.watch else { return };
                watch.chosen = advice.map(|advice| advice.best);
                match advice {
                    Some(advice) if self.hint => self.tell(Answer::advice(advice)),
                    Some(_) => {}
                    None => self.stop_watching(),
                }
            }
            (Purpose::Move, Thought::Plan(line)) => match &mut self.watch {
                Some(_) if line.is_empty() => {
                    self.stop_watching();
                    self.tell(Answer::Message { text: "no line of play was found".into() });
                }
                Some(watch) => (watch.plan, watch.due) = (line.into(), Instant::now()),
                None => {}
            },
            (_, Thought::Planned(planned)) => self.tell(Answer::Planned(planned)),
            (_, Thought::Advice(advice)) => self.tell(Answer::advice(advice)),
            (_, Thought::Survives(survives)) => self.tell(Answer::Survives(survives)),
            (_, Thought::Line(line)) => self.tell(Answer::line(line)),
            (_, Thought::Chances(chances)) => self.tell(Answer::Chances(chances)),
            (_, Thought::Impossible(why)) => {
                self.stop_watching();
                self.tell(Answer::Message { text: why });
            }
            (Purpose::Analysis, Thought::Done) => self.tell(Answer::Analysed {}),
            _ => {}
        }
    }

    fn look_at_session(&mut self, title: String, session: &Session) {
        let moves = session.tape().steps().iter().map(|step| step.direction).collect();
        self.looked_at = Some((session.start().clone(), moves));
        self.look(title, session.tape().clone(), true);
    }

    fn look(&mut self, title: String, tape: estr2048_session::Tape, playable: bool) {
        self.stop_watching();
        self.tell(Answer::Tape(Recording::of(title, &tape, playable)));
        if self.surveyor.is_none() {
            match self.thinker(true) {
                Ok(surveyor) => self.surveyor = Some(surveyor),
                Err(error) => self.tell(Answer::error(format!("{error:#}"))),
            }
        }
        self.surveyed = self.surveyor.as_mut().map(|surveyor| surveyor.ask(Task::Survey(tape, 0)));
    }

    fn offer(&mut self, games: Vec<Watched>) {
        self.tell(Answer::Games { titles: games.iter().map(|game| game.title.clone()).collect() });
        self.games = games;
    }

    fn open_class(&mut self) -> Result<()> {
        let folder = self.house.class.as_ref().context("no class is open: start with estr2048 web --class FOLDER")?;
        match record::open(&folder.join("journal.jsonl"))? {
            Opened::Games(games) => self.offer(games),
            Opened::Session(_) => bail!("journal.jsonl is no journal of a class"),
        }
        Ok(())
    }

    fn file(&mut self, kind: Kind) -> Result<()> {
        let session = self.session.as_ref().context("there is no game yet")?;
        let name = course::name(session.course());
        let answer = match kind {
            Kind::Moves => {
                let text = record::moves_file(session).context("this course has no file of moves: take the session")?;
                Answer::File { name: if name == "psa3" { "game.log".into() } else { "moves.txt".into() }, text }
            }
            Kind::Board => {
                Answer::File { name: record::usual_name(session).replace(".json", ".2048"), text: session.save() }
            }
            Kind::Session => Answer::File { name: format!("{name}.json"), text: record::session_file(session) },
            Kind::Page => {
                let title = format!("{}, seed {}", course::title(session.course()), session.start().seed);
                Answer::File {
                    name: format!("{name}.html"),
                    text: file::html(&Recording::of(title, session.tape(), false), &[])?,
                }
            }
        };
        self.tell(answer);
        Ok(())
    }
}

fn named(text: &str) -> Result<Course> {
    course::from_name(text).with_context(|| format!("there is no course {text:?}"))
}
