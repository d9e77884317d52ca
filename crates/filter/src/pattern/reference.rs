//! Backreferences, and octal escapes that look like them.

use super::escape::octal;
use super::token::Token;
use super::translate::Translator;

impl Translator<'_> {
    /// `\1` to `\9` are groups and `\0` is octal. More digits are a group if there are that many
    /// groups, else octal.
    pub(super) fn number(&mut self, first: char) -> Result<(), String> {
        let mut ahead = self.cursor.clone();
        let more = ahead.take(usize::MAX, |digit| digit.is_ascii_digit());
        let number = format!("{first}{more}");
        let group: usize = number.parse().unwrap_or(usize::MAX);
        if first != '0' && (group < 10 || group <= self.all_captures) {
            self.cursor = ahead;
            return self.group(group);
        }
        let digits = self.cursor.take(2, |digit| digit.is_digit(8));
        let character = octal(&format!("{first}{digits}"))?;
        self.character(character);
        Ok(())
    }

    fn group(&mut self, number: usize) -> Result<(), String> {
        if number == 0 || number > self.all_captures {
            return Err(format!("there is no group {number}"));
        }
        self.backreference(&format!("\\{number}"));
        Ok(())
    }

    fn backreference(&mut self, reference: &str) {
        let reference = self.with_case(reference);
        self.tokens
            .push(Token::Backreference(format!("(?:{reference})")));
    }

    pub(super) fn named(&mut self, name: &str) -> Result<(), String> {
        let name = group_name(name)?;
        self.backreference(&format!("\\k<{name}>"));
        Ok(())
    }

    /// `\k<name>`, `\k'name'`, `\k{name}`, `\g1`, `\g{1}`, `\g{-1}`, `\g{name}`.
    pub(super) fn reference(&mut self, letter: char) -> Result<(), String> {
        let target = if self.cursor.eat("{") {
            self.cursor.until("}")
        } else if letter == 'k' && self.cursor.eat("<") {
            self.cursor.until(">")
        } else if letter == 'k' && self.cursor.eat("'") {
            self.cursor.until("'")
        } else if letter == 'g' {
            Some(self.cursor.take(usize::MAX, |digit| digit.is_ascii_digit()))
        } else {
            None
        };
        let target = target.unwrap_or_default();
        if letter == 'k' {
            self.named(target)
        } else if let Some(back) = target.strip_prefix('-') {
            let back: usize = back.parse().unwrap_or(usize::MAX);
            self.group((self.captures + 1).saturating_sub(back))
        } else if let Ok(number) = target.parse() {
            self.group(number)
        } else {
            self.named(target)
        }
    }
}

pub(super) fn group_name(name: &str) -> Result<&str, String> {
    let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let starts = name.starts_with(|first: char| word(first) && !first.is_ascii_digit());
    if starts && name.chars().all(word) {
        Ok(name)
    } else {
        Err(format!("{name:?} is no name of a group"))
    }
}
