//! Parses PCRE syntax into tokens.

use stockroom_model::pattern::found_at;

use super::Options;
use super::class::class;
use super::cursor::Cursor;
use super::escape::{Escape, escape, quoted};
use super::token::{Group, Token};

/// Parses an expression; the error says what is wrong.
pub(super) fn translate(source: &str, options: Options) -> Result<Vec<Token>, String> {
    // The first pass only counts the groups: `\10` is a backreference only if there are ten.
    let captures = read(source, options, usize::MAX)?.captures;
    Ok(read(source, options, captures)?.tokens)
}

/// An error shows the start of the part that it is in.
fn read(source: &str, options: Options, captures: usize) -> Result<Translator<'_>, String> {
    let mut translator = Translator::new(source, options, captures);
    loop {
        let position = source.len() - translator.cursor.rest().len();
        let goes_on = translator.part();
        if !goes_on.map_err(|fault| found_at(&fault, source, position))? {
            return Ok(translator);
        }
    }
}

pub(super) struct Translator<'p> {
    pub(super) cursor: Cursor<'p>,
    pub(super) options: Options,
    /// The open groups, each with the options to restore after it.
    pub(super) groups: Vec<(Group, Options)>,
    pub(super) captures: usize,
    /// Number of capturing groups in the whole expression.
    pub(super) all_captures: usize,
    pub(super) tokens: Vec<Token>,
}

impl<'p> Translator<'p> {
    fn new(source: &'p str, options: Options, all_captures: usize) -> Self {
        Self {
            cursor: Cursor::new(source),
            options,
            groups: Vec::new(),
            captures: 0,
            all_captures,
            tokens: Vec::new(),
        }
    }

    /// Reads the next part; false at the end.
    fn part(&mut self) -> Result<bool, String> {
        let Some(next) = self.cursor.next() else {
            return match self.groups.last() {
                Some((group, _)) => Err(format!("{} without its )", group.opening())),
                None => Ok(false),
            };
        };
        match next {
            '\\' => self.escape()?,
            '[' => {
                let class = class(&mut self.cursor)?;
                self.cased(&class);
            }
            '(' => self.open()?,
            ')' => self.close()?,
            '|' => self.tokens.push(Token::Alternate),
            '.' => self.dot(),
            '^' => self.caret(),
            '$' => self.dollar(),
            '*' | '+' | '?' => self.quantifier(next.to_string())?,
            '{' => match self.braces() {
                Some(times) => self.quantifier(times)?,
                None => self.character('{'),
            },
            '#' if self.options.contains(Options::EXTENDED) => {
                self.cursor.take(usize::MAX, |character| character != '\n');
            }
            _ if self.options.contains(Options::EXTENDED) && next.is_ascii_whitespace() => {}
            _ => self.character(next),
        }
        Ok(true)
    }

    pub(super) fn character(&mut self, character: char) {
        self.cased(&quoted(character));
    }

    fn plain(&mut self, assertion: &str) {
        self.tokens.push(Token::Plain(assertion.to_owned()));
    }

    fn one_of(&mut self, set: String) {
        self.tokens.push(Token::Character(set));
    }

    /// Case options are written around each character, so that only this function decides where
    /// `(?i)` ends.
    fn cased(&mut self, character: &str) {
        let token = self.with_case(character);
        self.one_of(token);
    }

    pub(super) fn with_case(&self, text: &str) -> String {
        if self.options.contains(Options::IGNORE_CASE) {
            format!("(?i:{text})")
        } else {
            text.to_owned()
        }
    }

    fn dot(&mut self) {
        let all = self.options.contains(Options::DOT_ALL);
        self.one_of(if all { "(?s:.)" } else { r"[^\n]" }.to_owned());
    }

    fn caret(&mut self) {
        if self.options.contains(Options::MULTI_LINE) {
            self.tokens.push(Token::LineStart);
        } else {
            self.plain(r"\A");
        }
    }

    fn dollar(&mut self) {
        if self.options.contains(Options::MULTI_LINE) {
            self.plain("(?m:$)");
        } else {
            self.tokens.push(Token::End);
        }
    }

    /// `{2}`, `{2,}` and `{2,3}`; any other brace is a character.
    fn braces(&mut self) -> Option<String> {
        let mut ahead = self.cursor.clone();
        let times = ahead.until("}")?;
        let (least, most) = times.split_once(',').unwrap_or((times, times));
        let number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !number(least) || !(number(most) || most.is_empty()) {
            return None;
        }
        self.cursor = ahead;
        Some(format!("{{{times}}}"))
    }

    fn quantifier(&mut self, mut times: String) -> Result<(), String> {
        if !self.tokens.last().is_some_and(Token::repeats) {
            return Err(format!("nothing to repeat before {times}"));
        }
        for suffix in ["?", "+"] {
            if self.cursor.eat(suffix) {
                times.push_str(suffix);
                break;
            }
        }
        self.tokens.push(Token::Quantifier(times));
        Ok(())
    }

    fn escape(&mut self) -> Result<(), String> {
        match escape(&mut self.cursor)? {
            Escape::Character(character) => self.character(character),
            Escape::Set { ranges, negated } => {
                let not = if negated { "^" } else { "" };
                self.one_of(format!("[{not}{ranges}]"));
            }
            Escape::Property(property) => self.cased(&property),
            Escape::Contextual(letter) => self.contextual(letter)?,
        }
        Ok(())
    }

    fn contextual(&mut self, letter: char) -> Result<(), String> {
        match letter {
            'b' | 'B' => self.tokens.push(Token::Boundary {
                negated: letter == 'B',
            }),
            // The search starts at the start of the text, so `\G` means the same as `\A`.
            'A' | 'G' => self.plain(r"\A"),
            'Z' => self.tokens.push(Token::End),
            'z' => self.plain(r"\z"),
            // `\K` moves the start of the match, not whether there is a match.
            'K' => self.tokens.push(Token::Nothing),
            'E' => {}
            'N' => self.one_of(r"[^\n]".to_owned()),
            'R' => self.newline(),
            'Q' => self.verbatim(),
            'k' | 'g' => self.reference(letter)?,
            '0'..='9' => self.number(letter)?,
            _ => return Err(format!("\\{letter} is unknown or not supported")),
        }
        Ok(())
    }

    /// Atomic as in PCRE: `\R` never gives back the second half of `\r\n`.
    fn newline(&mut self) {
        self.tokens.push(Token::Open(Group::Atomic));
        self.plain(r"\r\n");
        self.tokens.push(Token::Alternate);
        self.one_of(r"[\x{A}-\x{D}\x{85}\x{2028}\x{2029}]".to_owned());
        self.tokens.push(Token::Close(Group::Atomic));
    }

    fn verbatim(&mut self) {
        let rest = self.cursor.rest();
        let text = self.cursor.until("\\E").unwrap_or_else(|| {
            self.cursor = Cursor::new("");
            rest
        });
        for character in text.chars() {
            self.character(character);
        }
    }
}
