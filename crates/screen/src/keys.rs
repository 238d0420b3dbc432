//! What each key does. Each course's own keys are known beside those of all.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use estr2048::{Course, Direction};
use estr2048_session::course;

/// What a person wants of a running game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Move(Direction),
    Undo,
    Redo,
    ToStart,
    ToEnd,
    NewGame,
    SameSeed,
    Previous,
    Save,
    Open,
    Review,
    Hint,
    Computer,
    Clairvoyant,
    SingleStep,
    Faster,
    Slower,
    Palette,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// What a person wants of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayAction {
    By(isize),
    Start,
    End,
    GoTo,
    NextMark,
    LastMark,
    Run,
    Faster,
    Slower,
    PlayOn,
    Palette,
    Help,
    Redraw,
    Suspend,
    Leave,
    Quit,
}

/// For the help text of a game; capitals are keys with shift.
pub const GAME_KEYS: [(&str, &str); 17] = [
    ("arrows, w a s d, h j k l", "move"),
    ("u, Backspace, z", "take back a move, to the start"),
    ("r", "make it again"),
    ("Home, End", "to the first board, to the last"),
    ("n, N", "new game: any seed, the same seed"),
    ("b", "back to the game before this one"),
    ("o, O", "save to a file, open a file"),
    ("v", "view this game as a replay"),
    ("i, Tab", "what the computer would do"),
    ("A, Enter", "the computer plays, or stops"),
    ("Space", "one move of the computer"),
    ("c", "the clairvoyant player (ESTR1002)"),
    ("+ -", "its speed"),
    ("p", "other colours"),
    ("Ctrl-Z, Ctrl-L", "suspend, draw anew"),
    ("?", "these keys"),
    ("q, Ctrl-C", "quit; the game is kept"),
];

/// For the help text of a replay.
pub const REPLAY_KEYS: [(&str, &str); 11] = [
    ("right, left", "a move forward, back"),
    ("down, up", "ten moves forward, back"),
    ("PageDown, PageUp", "a hundred"),
    ("Home, End", "to the start, to the end"),
    ("g", "go to a move by its number"),
    ("n, N", "next, last move that lost something"),
    ("Space", "run, or stop"),
    ("+ -", "its speed"),
    ("Enter", "play on from here"),
    ("Esc", "back to the game"),
    ("q, Ctrl-C", "quit"),
];

/// The course's own keys, for the help text.
pub fn own_keys(course: Course) -> Option<(&'static str, &'static str)> {
    match course {
        Course::Estr1002 => Some(("U D L R", "move, as in ./game")),
        Course::Comp1020 => Some(("i j k l", "move: up, left, down, right (hint: Tab)")),
        _ => None,
    }
}

fn direction(key: &KeyEvent, course: Course) -> Option<Direction> {
    Some(match key.code {
        KeyCode::Up => Direction::Up,
        KeyCode::Down => Direction::Down,
        KeyCode::Left => Direction::Left,
        KeyCode::Right => Direction::Right,
        KeyCode::Char(letter) => {
            // The course's own keys come first: COMP 1020's j is left, everybody else's is down.
            return course::direction_of_key(course, letter).or(match letter {
                'w' | 'k' => Some(Direction::Up),
                's' | 'j' => Some(Direction::Down),
                'a' | 'h' => Some(Direction::Left),
                'd' | 'l' => Some(Direction::Right),
                _ => None,
            });
        }
        _ => return None,
    })
}

/// What a key does in a game.
pub fn in_game(key: &KeyEvent, course: Course) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Some(match key.code {
            KeyCode::Char('c') => Action::Quit,
            KeyCode::Char('z') => Action::Suspend,
            KeyCode::Char('l') => Action::Redraw,
            KeyCode::Char('r') => Action::Redo,
            _ => return None,
        });
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    if let Some(direction) = direction(key, course) {
        return Some(Action::Move(direction));
    }
    Some(match key.code {
        KeyCode::Backspace | KeyCode::Char('u' | 'z') => Action::Undo,
        KeyCode::Char('r') => Action::Redo,
        KeyCode::Home => Action::ToStart,
        KeyCode::End => Action::ToEnd,
        KeyCode::Char('n') => Action::NewGame,
        KeyCode::Char('N') => Action::SameSeed,
        KeyCode::Char('b') => Action::Previous,
        KeyCode::Char('o') => Action::Save,
        KeyCode::Char('O') => Action::Open,
        KeyCode::Char('v') => Action::Review,
        KeyCode::Char('i' | 'I') | KeyCode::Tab => Action::Hint,
        KeyCode::Char('A') | KeyCode::Enter => Action::Computer,
        KeyCode::Char('c') => Action::Clairvoyant,
        KeyCode::Char(' ') => Action::SingleStep,
        KeyCode::Char('+' | '=') => Action::Faster,
        KeyCode::Char('-' | '_') => Action::Slower,
        KeyCode::Char('p') => Action::Palette,
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        _ => return None,
    })
}

/// What a key does in a replay.
pub fn in_replay(key: &KeyEvent) -> Option<ReplayAction> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Some(match key.code {
            KeyCode::Char('c') => ReplayAction::Quit,
            KeyCode::Char('z') => ReplayAction::Suspend,
            KeyCode::Char('l') => ReplayAction::Redraw,
            _ => return None,
        });
    }
    Some(match key.code {
        KeyCode::Right | KeyCode::Char('l' | 'd') => ReplayAction::By(1),
        KeyCode::Left | KeyCode::Char('h' | 'a') | KeyCode::Backspace => ReplayAction::By(-1),
        KeyCode::Down | KeyCode::Char('j' | 's') => ReplayAction::By(10),
        KeyCode::Up | KeyCode::Char('k' | 'w') => ReplayAction::By(-10),
        KeyCode::PageDown => ReplayAction::By(100),
        KeyCode::PageUp => ReplayAction::By(-100),
        KeyCode::Home => ReplayAction::Start,
        KeyCode::End => ReplayAction::End,
        KeyCode::Char('g') => ReplayAction::GoTo,
        KeyCode::Char('n') => ReplayAction::NextMark,
        KeyCode::Char('N') => ReplayAction::LastMark,
        KeyCode::Char(' ') => ReplayAction::Run,
        KeyCode::Char('+' | '=') => ReplayAction::Faster,
        KeyCode::Char('-' | '_') => ReplayAction::Slower,
        KeyCode::Enter => ReplayAction::PlayOn,
        KeyCode::Char('p') => ReplayAction::Palette,
        KeyCode::Char('?') | KeyCode::F(1) => ReplayAction::Help,
        KeyCode::Esc | KeyCode::Char('v') => ReplayAction::Leave,
        KeyCode::Char('q') => ReplayAction::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(letter: char, course: Course) -> Option<Action> {
        in_game(&KeyEvent::from(KeyCode::Char(letter)), course)
    }

    #[test]
    fn the_keys_of_each_course_come_first() {
        for (letters, directions) in [("wasd", [0, 2, 1, 3]), ("hjkl", [2, 1, 0, 3])] {
            for (letter, number) in letters.chars().zip(directions) {
                let expected = Direction::from_number(number).map(Action::Move);
                assert_eq!(action(letter, Course::Cs61b), expected, "{letter}");
            }
        }
        for (letter, number) in "ijkl".chars().zip([0, 2, 1, 3]) {
            let expected = Direction::from_number(number).map(Action::Move);
            assert_eq!(action(letter, Course::Comp1020), expected, "{letter}");
        }
        for (letter, number) in "UDLR".chars().zip(0..) {
            let expected = Direction::from_number(number).map(Action::Move);
            assert_eq!(action(letter, Course::Estr1002), expected, "{letter}");
            assert_ne!(action(letter, Course::Psa3), expected, "{letter}");
        }
        assert_eq!(action('o', Course::Pa4), Some(Action::Save));
        assert_eq!(action('z', Course::Comp1020), Some(Action::Undo));
        assert_eq!(action('n', Course::Cs61b), Some(Action::NewGame));
    }
}
