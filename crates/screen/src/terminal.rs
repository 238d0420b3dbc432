//! The terminal: taken over, and given back however the game ends.

use std::io::{self, Stdout, Write};
use std::sync::mpsc::Sender;
use std::sync::{Once, atomic};
use std::{panic, thread};

use anyhow::{Context, Result};
use crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use crossterm::{cursor, execute, terminal};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

/// What happens outside.
pub enum Outside {
    Key(KeyEvent),
    Resized,
    /// Somebody ends the program by this signal.
    Signal(i32),
    /// The terminal is gone.
    Gone,
}

/// The screen of the game.
pub struct Screen {
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
}

/// Whether the terminal is in the game's hands now.
static TAKEN: atomic::AtomicBool = atomic::AtomicBool::new(false);

impl Screen {
    /// Takes the terminal over.
    pub fn take() -> Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            // A message on the alternate screen would be lost with it.
            panic::set_hook(Box::new(move |panic| {
                give_back();
                usual(panic);
            }));
        });
        take_over().context("this terminal cannot be drawn on")?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout())).inspect_err(|_| give_back())?;
        Ok(Self { terminal })
    }

    /// Stops the program as Ctrl-Z does elsewhere, and takes the terminal over again when it goes on.
    pub fn suspend(&mut self) -> Result<()> {
        give_back();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        take_over()?;
        self.redraw()
    }

    /// Draws everything anew with the next frame. ratatui's own `clear` asks the terminal where the cursor is, and the
    /// answer would go to the thread that reads keys.
    pub fn redraw(&mut self) -> Result<()> {
        execute!(io::stdout(), terminal::Clear(terminal::ClearType::All))?;
        self.terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take_over() -> io::Result<()> {
    TAKEN.store(true, atomic::Ordering::SeqCst);
    terminal::enable_raw_mode()?;
    execute!(io::stdout(), terminal::EnterAlternateScreen, cursor::Hide)
}

/// Leaves the terminal as it was found. What fails then cannot be helped.
fn give_back() {
    if TAKEN.swap(false, atomic::Ordering::SeqCst) {
        let mut out = io::stdout();
        let _ = execute!(out, terminal::LeaveAlternateScreen, cursor::Show);
        let _ = out.flush();
        let _ = terminal::disable_raw_mode();
    }
}

/// Two threads that tell of keys, resizes and signals from now on.
pub fn listen<T: From<Outside> + Send + 'static>(to: &Sender<T>) -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let teller = to.clone();
    thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            if teller.send(Outside::Signal(signal).into()).is_err() {
                return;
            }
        }
    })?;
    let teller = to.clone();
    thread::Builder::new().name("keys".into()).spawn(move || {
        loop {
            let news = match event::read() {
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Outside::Key(key),
                Ok(Event::Resize(..)) => Outside::Resized,
                Ok(_) => continue,
                Err(_) => Outside::Gone,
            };
            let gone = matches!(news, Outside::Gone);
            if teller.send(news.into()).is_err() || gone {
                return;
            }
        }
    })?;
    Ok(())
}
