//! A whole class: every submission checked, compiled, played and written down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::basic::{self, BasicReport, BasicVerdict};
use crate::collect::Submission;
use crate::examine::{self, Playable};
use crate::files;
use crate::journal::{Journal, Line};
use crate::marks::Policy;
use crate::progress::Progress;
use crate::report::{Part, Report, Status};
use crate::repro;
use crate::seeds::Seed;
use estr2048_referee::compile::Compiler;
use estr2048_referee::game::{self, Flag, GameRecord, GameRules};
use estr2048_referee::sandbox;
use estr2048_referee::verdict::Verdict;

/// What the whole class shares.
pub struct Classroom<'a> {
    pub compiler: Compiler,
    pub rules: GameRules,
    pub seeds: Vec<Seed>,
    pub policy: Policy,
    pub jobs: usize,
    pub part: Part,
    /// Without a bar and without lines about what is going on.
    pub quiet: bool,
    pub work: PathBuf,
    /// Where repro programs go.
    pub repros: Option<PathBuf>,
    pub script_folder: Option<PathBuf>,
    pub journal: Option<&'a Journal>,
    /// What an earlier run has already found, by the submission's id.
    pub known: BTreeMap<String, Known>,
    /// Called after every game with what is known of a submission so far.
    pub after_game: &'a (dyn Fn(&Report) -> Result<()> + Sync),
}

/// What the journal holds about a submission.
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub digest: String,
    pub games: BTreeMap<usize, GameRecord>,
    pub report: Option<Report>,
}

/// The seed of the smoke game, the same for everybody, and its length.
const SMOKE_SEED: u32 = 1;
const SMOKE_MOVES: usize = 20;

/// Moves of the first game that are repeated to see whether they come out the same.
const REPEATED_MOVES: usize = 200;

/// The player's own time for that.
const REPEATED_TIME: Duration = Duration::from_secs(5);

impl Classroom<'_> {
    /// Grades all submissions, several at a time.
    pub fn grade(&self, submissions: &[Submission]) -> Result<Vec<Report>> {
        let progress = Progress::new(submissions.len(), submissions.len() * self.seeds.len(), self.quiet);
        let next = AtomicUsize::new(0);
        // A game whose time-out may be the machine's fault is repeated while nobody else plays.
        let machine = RwLock::new(());
        let worker = || -> Result<Vec<(usize, Report)>> {
            let mut reports = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(submission) = submissions.get(index) else { return Ok(reports) };
                reports.push((index, self.one(submission, &machine, &progress)?));
            }
        };
        let mut reports: Vec<(usize, Report)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.min(submissions.len())).map(|_| scope.spawn(worker)).collect();
            let results = workers.into_iter().map(|worker| worker.join().expect("a worker panicked"));
            results.collect::<Result<Vec<_>>>()
        })?
        .into_iter()
        .flatten()
        .collect();
        progress.end();
        sandbox::not_leaving()?;
        reports.sort_by_key(|(index, _)| *index);
        Ok(reports.into_iter().map(|(_, report)| report).collect())
    }

    fn one(&self, submission: &Submission, machine: &RwLock<()>, progress: &Progress) -> Result<Report> {
        let digest = submission.digest();
        let known = self.known.get(&submission.id).filter(|known| known.digest == digest).cloned().unwrap_or_default();
        let from_now = |report: &mut Report| {
            report.part = self.part;
            report.late = submission.late;
            report.name = submission.name.clone();
            report.for_staff = submission.for_staff.clone();
            report.files = [&submission.source, &submission.basic].into_iter().flatten().cloned().collect();
        };
        if let Some(mut report) =
            known.report.filter(|report| !(report.part != self.part || submission.conflict.is_some()))
        {
            report.games = known.games.into_values().map(|game| self.counted(game)).collect();
            from_now(&mut report);
            progress.games(self.seeds.len(), true);
            progress.submission();
            return Ok(report);
        }
        let mut report = Report::new(&submission.id, digest);
        from_now(&mut report);
        let troubled;
        match self.examine_and_play(submission, known.games, machine, progress, &mut report) {
            Ok(basic_troubled) => troubled = basic_troubled,
            Err(error) => {
                troubled = true;
                report.decide(Verdict::NeedsHuman, format!("the referee had trouble with this submission: {error:#}"))
            }
        }
        // What was the referee's own trouble may be gone when the run is continued.
        if let Some(journal) = self.journal.filter(|_| !troubled) {
            journal.write(&Line::Submission { report: Box::new(report.clone()) })?;
        }
        progress.submission();
        (self.after_game)(&report)?;
        Ok(report)
    }

    /// A game with the score that counts under the policy of today, whatever it was when the game was played.
    fn counted(&self, mut game: GameRecord) -> GameRecord {
        game.score = self.policy.score(game.verdict, game.sum);
        game
    }

    /// Everything about one submission; true if a part of it could not be done for the referee's own trouble.
    fn examine_and_play(
        &self,
        submission: &Submission,
        mut known: BTreeMap<usize, GameRecord>,
        machine: &RwLock<()>,
        progress: &Progress,
        report: &mut Report,
    ) -> Result<bool> {
        if let Some(conflict) = &submission.conflict {
            report.check("hand-in", Status::Fail, conflict);
            report.decide(Verdict::NeedsHuman, conflict);
            progress.games(self.seeds.len(), false);
            return Ok(false);
        }
        let mut troubled = false;
        if self.part != Part::Basic {
            progress.doing(format!("{} compiles,", submission.id));
            self.player(submission, &mut known, machine, progress, report)?;
        }
        if self.part != Part::Ai {
            progress.doing(format!("{} basic part,", submission.id));
            let _together = machine.read();
            match self.basic_part(submission, report) {
                Ok(basic) => report.basic = basic,
                Err(error) => {
                    troubled = true;
                    let text = format!("the referee had trouble with it: {error:#}");
                    report.basic = Some(BasicReport::only(BasicVerdict::NeedsHuman, text));
                }
            }
        }
        let left = self.seeds.len().saturating_sub(report.games.len());
        progress.games(left, false);
        Ok(troubled)
    }

    /// The computer player's checks and games.
    fn player(
        &self,
        submission: &Submission,
        known: &mut BTreeMap<usize, GameRecord>,
        machine: &RwLock<()>,
        progress: &Progress,
        report: &mut Report,
    ) -> Result<()> {
        // All work on submissions counts as company: a game that is played alone waits for its end.
        let together = machine.read();
        let Some(playable) = examine::examine(submission, &self.compiler, &self.work, report)? else { return Ok(()) };
        let start = Instant::now();
        let smoked = self.smoke(&playable, report)?;
        drop(together);
        for (index, &seed) in self.seeds.iter().enumerate() {
            let (record, was_known) = match known.remove(&index) {
                Some(record) => (self.counted(record), true),
                None if !smoked => break,
                None => {
                    let mut record = self.play(&playable, seed, machine, &|sum| {
                        progress.doing(format!("{} game {}: {sum},", submission.id, index + 1));
                    });
                    // The referee's own trouble is no game; the run that goes on plays it.
                    ensure!(record.verdict != Verdict::NeedsHuman, "{}", record.detail);
                    record.score = self.policy.score(record.verdict, record.sum);
                    if let Some(journal) = self.journal {
                        let (id, digest) = (report.id.clone(), report.digest.clone());
                        journal.write(&Line::Game { id, digest, game: index, record: Box::new(record.clone()) })?;
                    }
                    (record, false)
                }
            };
            report.games.push(record);
            progress.games(1, was_known);
            (self.after_game)(report)?;
        }
        let _together = machine.read();
        self.conclude(&playable, start, report)
    }

    /// The basic part's report; none if there is none to be graded.
    fn basic_part(&self, submission: &Submission, report: &Report) -> Result<Option<BasicReport>> {
        let Some(zip) = &submission.basic else {
            let odd = submission.misnamed.iter().chain(&submission.trouble).cloned().collect::<Vec<_>>().join("; ");
            let found = if odd.is_empty() { String::new() } else { format!("; found {odd}") };
            let text = format!("basic_{}.zip is missing{found}", report.id);
            return Ok((self.part == Part::Basic).then(|| BasicReport::only(BasicVerdict::MissingFile, text)));
        };
        let scripts = self.script_folder.as_deref();
        basic::grade(zip, &submission.id, &self.compiler, &self.work, scripts).map(Some)
    }

    /// A short game that shows whether the program can be loaded at all.
    fn smoke(&self, playable: &Playable, report: &mut Report) -> Result<bool> {
        let rules = GameRules { most_moves: SMOKE_MOVES, ..self.rules.clone() };
        let seed = Seed::Narrow(SMOKE_SEED);
        let record =
            game::play(&playable.library, &playable.function, &rules, seed.to_string(), seed.generator(), &|_| {});
        ensure!(record.verdict != Verdict::NeedsHuman, "{}", record.detail);
        match record.verdict {
            Verdict::Finished => {
                report.check("smoke game", Status::Pass, format!("the first {SMOKE_MOVES} moves of a test game work"))
            }
            verdict => report.check("smoke game", Status::Fail, format!("{verdict}: {}", record.detail)),
        }
        let loads = !matches!(record.verdict, Verdict::WrongName | Verdict::CompileError);
        if !loads {
            report.decide(record.verdict, record.detail);
        }
        Ok(loads)
    }

    fn play(&self, playable: &Playable, seed: Seed, machine: &RwLock<()>, watch: &dyn Fn(i64)) -> GameRecord {
        let once = || {
            game::play(&playable.library, &playable.function, &self.rules, seed.to_string(), seed.generator(), watch)
        };
        let record = {
            let _together = machine.read();
            once()
        };
        if !record.suspect {
            return record;
        }
        let _alone = machine.write();
        let mut again = once();
        if again.suspect {
            again.verdict = Verdict::MachineFault;
            again.detail = format!("{} The machine gave it too little time, twice: play it again.", again.detail);
        }
        again
    }

    /// What all games together show.
    fn conclude(&self, playable: &Playable, start: Instant, report: &mut Report) -> Result<()> {
        for game in report.games.clone() {
            for (flag, text) in game.flags {
                report.flag(flag, text);
            }
        }
        let finished = report.games.iter().filter(|game| game.verdict == Verdict::Finished).count();
        let status = if finished == report.games.len() { Status::Pass } else { Status::Fail };
        report.check("games", status, format!("{finished} of {} games were played to their end", report.games.len()));
        let failure = report.first_failure().cloned();
        if let Some(game) = &failure {
            report.decide(game.verdict, &game.detail);
        }
        self.look_for_chance(playable, start, report);
        let outside = report.flags.contains_key(&Flag::WroteOutside);
        let shown = failure.or_else(|| report.games.first().filter(|_| outside).cloned());
        if let Some(game) = shown {
            let id = &report.id;
            let program = repro::source(id, &playable.function, &game);
            if let Some(folder) = &self.repros {
                std::fs::create_dir_all(folder)?;
                let name = format!("repro_{id}.c");
                files::write_atomically(&folder.join(&name), program.as_bytes())?;
                report.repro = Some(name);
            }
            if matches!(game.verdict, Verdict::Crash | Verdict::Exit) || outside {
                report.sanitizer = repro::sanitize(&self.compiler, &playable.folder, id, &program)?;
            }
        }
        Ok(())
    }

    /// Plays the beginning of the first game again: the same boards must get the same moves.
    fn look_for_chance(&self, playable: &Playable, start: Instant, report: &mut Report) {
        let Some((first, &seed)) = report.games.first().zip(self.seeds.first()) else { return };
        if first.moves == 0 {
            return;
        }
        // A player seeded by time() plays the same game again within the same second.
        const SECOND: Duration = Duration::from_millis(1100);
        if playable.reads_clock && start.elapsed() < SECOND {
            std::thread::sleep(SECOND.saturating_sub(start.elapsed()));
        }
        // A slow player gets as far as it gets: the moves until then are compared.
        let game_time = self.rules.game_time.map_or(REPEATED_TIME, |limit| limit.min(REPEATED_TIME));
        let most_moves = REPEATED_MOVES.min(first.moves);
        let rules = GameRules { most_moves, game_time: Some(game_time), ..self.rules.clone() };
        let again =
            game::play(&playable.library, &playable.function, &rules, seed.to_string(), seed.generator(), &|_| {});
        let same = again.move_string.bytes().zip(first.move_string.bytes()).take_while(|(a, b)| a == b).count();
        if same < again.moves {
            let text =
                format!("The same game came out differently when it was repeated: move {} is another one.", same + 1);
            report.flag(Flag::NonDeterministic, text);
        }
    }
}

/// What the journal of an earlier run says about each submission.
pub fn known(lines: Vec<Line>) -> BTreeMap<String, Known> {
    let mut all = BTreeMap::<String, Known>::new();
    for line in lines {
        match line {
            Line::Settings { .. } => {}
            Line::Redo { id } => {
                all.remove(&id);
            }
            Line::Game { id, digest, game, record } => {
                let known = all.entry(id).or_default();
                if known.digest != digest {
                    *known = Known { digest, ..Known::default() };
                }
                known.games.insert(game, *record);
            }
            Line::Submission { report } => {
                let known = all.entry(report.id.clone()).or_default();
                if known.digest != report.digest {
                    *known = Known { digest: report.digest.clone(), ..Known::default() };
                }
                known.report = Some(*report);
            }
        }
    }
    all
}

/// Removes what a killed run left behind, and notes the folder of this one.
pub fn take_over(note: &Path, work: &Path) -> Result<()> {
    if let Ok(old) = std::fs::read_to_string(note) {
        let old = PathBuf::from(old.trim());
        let ours = old.file_name().is_some_and(|name| name.to_string_lossy().starts_with("estr2048-"));
        if ours && old.parent() == Some(&std::env::temp_dir()) && old.is_dir() {
            let _ = std::fs::remove_dir_all(&old);
        }
    }
    std::fs::write(note, work.display().to_string())?;
    Ok(())
}
