//! Groups and the options inside them.

use super::Options;
use super::reference::group_name;
use super::token::{Group, Token};
use super::translate::Translator;

impl Translator<'_> {
    pub(super) fn open(&mut self) -> Result<(), String> {
        if self.cursor.eat("*") {
            return Err("verbs such as (*UTF) are not supported".to_owned());
        }
        let group = if self.cursor.eat("?") {
            match self.special()? {
                Some(group) => group,
                None => return Ok(()),
            }
        } else {
            Group::Capture
        };
        self.push(group);
        Ok(())
    }

    fn push(&mut self, group: Group) {
        self.captures += usize::from(group.captures());
        self.groups.push((group.clone(), self.options));
        self.tokens.push(Token::Open(group));
    }

    /// Reads the part after `(?`; `None` if no group was opened.
    fn special(&mut self) -> Result<Option<Group>, String> {
        for (opening, written) in [("=", "(?="), ("!", "(?!"), ("<=", "(?<="), ("<!", "(?<!")] {
            if self.cursor.eat(opening) {
                return Ok(Some(Group::Look(written)));
            }
        }
        for (opening, end) in [("P<", ">"), ("<", ">"), ("'", "'")] {
            if self.cursor.eat(opening) {
                let name = self.cursor.until(end).unwrap_or_default();
                return Ok(Some(Group::Named(group_name(name)?.to_owned())));
            }
        }
        if self.cursor.eat(":") {
            Ok(Some(Group::Plain))
        } else if self.cursor.eat(">") {
            Ok(Some(Group::Atomic))
        } else if self.cursor.eat("#") {
            self.cursor.until(")").ok_or("(?# without its )")?;
            Ok(None)
        } else if self.cursor.eat("P=") {
            let name = self.cursor.until(")").unwrap_or_default();
            self.named(name).map(|()| None)
        } else {
            self.flags()
        }
    }

    /// `(?im-sx)`, which holds until the enclosing group ends, and `(?im-sx:`.
    fn flags(&mut self) -> Result<Option<Group>, String> {
        let outside = self.options;
        let mut on = true;
        loop {
            let letter = self.cursor.next().ok_or("( without its )")?;
            match letter {
                '-' if on => on = false,
                ')' => {
                    self.tokens.push(Token::Nothing);
                    return Ok(None);
                }
                ':' => {
                    let inside = std::mem::replace(&mut self.options, outside);
                    self.push(Group::Plain);
                    self.options = inside;
                    return Ok(None);
                }
                _ => match Options::from_letter(letter) {
                    Some(option) => self.options.set(option, on),
                    None => return Err(format!("(?{letter} is unknown or not supported")),
                },
            }
        }
    }

    pub(super) fn close(&mut self) -> Result<(), String> {
        let (group, options) = self.groups.pop().ok_or("a ) without its (")?;
        self.options = options;
        self.tokens.push(Token::Close(group));
        Ok(())
    }
}
