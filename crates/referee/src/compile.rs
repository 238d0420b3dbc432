//! From a student's C file to a shared object, with everything that the compiler had to say.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSymbol};

use crate::sandbox::isolation::Level;
use crate::sandbox::policy::Role;
use crate::sandbox::program::{self, Outcome, Program, Stop};

/// How student code is compiled: as literally as speed allows, so that a crash at home is the same crash here.
pub const DEFAULT_FLAGS: &str =
    "-Og -g -Wall -Wextra -fno-tree-pta -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-realloc -fno-builtin-free";

/// The generator's header, for programs that came without it.
const TINYMT: &str = include_str!("tinymt32.h.in");

/// Options by which the course's headers are found, after the student's own.
pub const COURSE_HEADERS: [&str; 2] = ["-idirafter", "course_headers"];

/// Puts the course's headers where [`COURSE_HEADERS`] looks.
pub fn add_course_headers(folder: &Path) -> Result<()> {
    let headers = folder.join("course_headers");
    fs::create_dir_all(&headers)?;
    fs::write(headers.join("tinymt32.h"), TINYMT)?;
    Ok(())
}

/// A stand-in for the main program's generator: a player that peeks at it finds zeros.
const DECOY: &str = "unsigned state[16];\n";

/// What the compiler may use: CPU time of each of its processes, memory of all together, bytes of a file.
const TIME: Duration = Duration::from_secs(30);
const MEMORY: u64 = 1 << 30;
const LARGEST: u64 = 64 << 20;

const TOO_MUCH_MEMORY: &str = "the compiler needed more than 1 GB of memory";

/// The compiler and its leash.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub level: Level,
    pub program: PathBuf,
    pub flags: Vec<String>,
    /// Bytes of memory of the programs that it makes.
    pub memory: u64,
}

/// What came of compiling one file.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// The shared object, if there is one.
    pub library: Option<PathBuf>,
    /// Everything that the compiler and the linker wrote.
    pub messages: String,
    /// What stopped the build, in one sentence.
    pub failure: Option<String>,
    /// Whether the linker needed `-lm`.
    pub needs_math: bool,
    /// Names that other files can see.
    pub defined: Vec<String>,
    /// Names that the file expects from others.
    pub wanted: Vec<String>,
}

impl Compiler {
    /// The compiler named by the environment's `CC`, or gcc.
    pub fn find(level: Level, flags: &str) -> Result<Self> {
        let name = std::env::var("CC").unwrap_or_else(|_| "gcc".into());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file());
        let program = found.with_context(|| {
            format!("{name} is not on the PATH. Install a C compiler (Debian: apt install gcc) or set CC to yours")
        })?;
        Ok(Self { level, program, flags: flags.split_whitespace().map(String::from).collect(), memory: MEMORY })
    }

    /// The same compiler, for programs that may use so many bytes of memory.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Runs a program that it made in `folder`, in a copy of that file.
    ///
    /// # Errors
    /// For the referee's own trouble.
    pub fn run_result(
        &self,
        folder: &Path,
        name: &str,
        stdin: Option<PathBuf>,
        time: Duration,
        sanitized: bool,
    ) -> Result<Outcome> {
        let mut environment = Vec::new();
        let mut view = Vec::new();
        if sanitized {
            view.push(PathBuf::from("/proc/self"));
            let limit = self.memory >> 20;
            environment.push((
                "ASAN_OPTIONS".into(),
                format!(
                    "detect_leaks=0:abort_on_error=0:symbolize=1:color=never:allocator_may_return_null=1:\
                 max_allocation_size_mb={limit}:quarantine_size_mb=16"
                ),
            ));
            environment.push(("UBSAN_OPTIONS".into(), "print_stacktrace=1:color=never".into()));
        }
        let program = Program {
            level: self.level,
            role: Role::Program,
            program: format!("./{name}").into(),
            arguments: Vec::new(),
            bring: vec![(folder.join(name), name.into())],
            fetch: Vec::new(),
            workshop: folder.parent().unwrap_or(folder).into(),
            view,
            environment,
            stdin,
            time,
            memory: self.memory,
            plain: !sanitized,
            output: 1 << 20,
            file_size: 1 << 20,
            processes: 1,
        };
        program.run()
    }

    /// Runs the compiler in a copy of `folder`. What it writes with `-o` is then there; all paths must be relative.
    ///
    /// # Errors
    /// For the referee's own trouble, and if the machine has no time for the compiler.
    pub fn run(&self, folder: &Path, arguments: &[&str]) -> Result<Outcome> {
        let outcome = self.run_once(folder, arguments)?;
        let may_be_quiet = !arguments.iter().any(|argument| argument.starts_with("-Werror"));
        if outcome.ending != Stop::Flood || !may_be_quiet {
            return Ok(outcome);
        }
        // Warnings, however many, are no error.
        let quiet = self.run_once(folder, &[arguments, &["-w"]].concat())?;
        Ok(if quiet.success() { Outcome { stderr: outcome.stderr, ..quiet } } else { quiet })
    }

    fn run_once(&self, folder: &Path, arguments: &[&str]) -> Result<Outcome> {
        let written = arguments.iter().zip(arguments.iter().skip(1)).filter(|(option, _)| **option == "-o");
        let fetch = written.map(|(_, name)| (String::from(*name), folder.join(name))).collect();
        let arguments = arguments.iter().map(|&argument| argument.into());
        let program = Program {
            level: self.level,
            role: Role::Compiler,
            program: self.program.clone(),
            arguments: [String::from("-fdiagnostics-color=never")].into_iter().chain(arguments).collect(),
            bring: vec![(folder.into(), ".".into())],
            fetch,
            workshop: folder.parent().unwrap_or(folder).into(),
            view: program::tools(&self.program),
            environment: Vec::new(),
            stdin: None,
            time: TIME,
            memory: MEMORY,
            plain: true,
            output: 64 * 1024,
            file_size: LARGEST,
            processes: 64,
        };
        let outcome = program.run()?;
        ensure!(outcome.ending != Stop::Starved, "the machine had no time for the compiler");
        let room = rustix::fs::statvfs(&program.workshop).map_or(u64::MAX, |disk| disk.f_bavail * disk.f_frsize);
        ensure!(
            !lacked_room(self.level, &outcome, room),
            "the compiler found no room on the disk of {}",
            program.workshop.display()
        );
        Ok(outcome)
    }

    /// Compiles and links `source`, a file in `folder`, into a shared object beside it.
    pub fn shared_object(&self, folder: &Path, source: &str) -> Result<Build> {
        let mut build = Build::default();
        add_course_headers(folder)?;
        let flags = self.flags.iter().map(String::as_str).chain(COURSE_HEADERS);
        let arguments: Vec<&str> = flags.chain(["-fPIC", "-c", source, "-o", "player.o"]).collect();
        let compiled = self.run(folder, &arguments)?;
        build.messages = compiled.stderr.clone();
        if !compiled.success() {
            build.failure = Some(complaint(&compiled));
            return Ok(build);
        }
        (build.defined, build.wanted) = names(&folder.join("player.o"))?;
        let mut link = vec!["-shared", "-Wl,-z,defs", "-Wl,-Bsymbolic", "player.o", "-o", "player.so"];
        if build.wanted.iter().any(|name| name == "state") {
            fs::write(folder.join("decoy.c"), DECOY)?;
            link.extend(["-fPIC", "decoy.c"]);
        }
        let mut linked = self.run(folder, &link)?;
        if !linked.success() {
            let with_math: Vec<&str> = link.iter().copied().chain(["-lm"]).collect();
            let again = self.run(folder, &with_math)?;
            build.needs_math = again.success();
            if again.success() {
                linked = again;
            }
        }
        if linked.success() {
            build.library = Some(folder.join("player.so"));
        } else {
            build.messages.push_str(&linked.stderr);
            build.failure = Some(complaint(&linked));
        }
        Ok(build)
    }
}

/// Whether the machine's disk was too full for the compiler, with so much room on it now. A cell with a file system of its
/// own does not write to that disk.
fn lacked_room(level: Level, outcome: &Outcome, room: u64) -> bool {
    // As much as a cell's folder may hold.
    let little = room < 2 * LARGEST;
    level < Level::L3 && little && !outcome.success() && outcome.stderr.contains("No space left on device")
}

/// What stopped the compiler, in one sentence: its first error, or what became of it.
pub fn complaint(outcome: &Outcome) -> String {
    let text = match outcome.ending {
        Stop::Timeout => return "the compiler did not finish within a minute".into(),
        Stop::Memory => return TOO_MUCH_MEMORY.into(),
        Stop::Exit(_)
            if ["out of memory", "virtual memory exhausted"].iter().any(|words| outcome.stderr.contains(words)) =>
        {
            return TOO_MUCH_MEMORY.into();
        }
        // gcc's word for a helper whose processor time is used up.
        Stop::Exit(_) if ["CPU time limit", "Killed signal"].iter().any(|words| outcome.stderr.contains(words)) => {
            return "the compiler did not finish within 30 seconds".into();
        }
        Stop::Exit(_) if outcome.stderr.contains("File size limit exceeded") => {
            return "the compiler wrote a file of more than 64 MB".into();
        }
        Stop::Flood => return "the compiler wrote more than 64 KB of messages".into(),
        _ => &outcome.stderr,
    };
    // What the linker's driver says at the end is not the reason.
    let reasons = || text.lines().filter(|line| !line.starts_with("collect2: error"));
    let first = |mark: &str| reasons().find(|line| line.contains(mark)).map(|line| line.trim().to_string());
    first("error:")
        .or_else(|| first("undefined reference"))
        .or_else(|| first("multiple definition"))
        .or_else(|| reasons().find(|line| !line.trim().is_empty()).map(String::from))
        .unwrap_or_else(|| format!("the compiler ended with {:?}", outcome.ending))
}

/// The names that an object file defines for others, and those that it wants from them.
pub fn names(path: &Path) -> Result<(Vec<String>, Vec<String>)> {
    ensure!(fs::metadata(path)?.len() <= LARGEST, "{}: too large", path.display());
    let bytes = fs::read(path)?;
    let file = object::File::parse(&*bytes).with_context(|| path.display().to_string())?;
    let (mut defined, mut wanted) = (Vec::new(), Vec::new());
    for symbol in file.symbols().filter(|symbol| symbol.is_global()) {
        let name = symbol.name().unwrap_or_default().to_string();
        match name.as_str() {
            "" | "_GLOBAL_OFFSET_TABLE_" => {}
            _ if symbol.is_undefined() => wanted.push(name),
            _ => defined.push(name),
        }
    }
    defined.sort();
    wanted.sort();
    Ok((defined, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_no_fault_of_the_source() {
        let said = |code, stderr: &str| Outcome {
            ending: Stop::Exit(code),
            stdout: String::new(),
            stderr: stderr.into(),
            offences: Vec::new(),
        };
        let full = said(1, "/usr/bin/ld: final link failed: No space left on device\n");
        assert!(lacked_room(Level::L1, &full, 0) && lacked_room(Level::L2, &full, LARGEST));
        // Where there is room, or the folder is the cell's own, the source wanted too much, or only says so.
        assert!(!lacked_room(Level::L2, &full, 3 * LARGEST) && !lacked_room(Level::L3, &full, 0));
        assert!(!lacked_room(Level::L2, &said(1, "error: expected ';'"), 0));
        assert!(!lacked_room(Level::L2, &said(0, "warning: No space left on device"), 0));
    }
}
