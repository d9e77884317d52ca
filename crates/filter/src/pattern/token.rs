//! An expression after it was understood and before it is written for an engine.

/// One piece of a regular expression; texts are in the syntax that both engines share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Matches exactly one character.
    Character(String),
    /// Asserts something in a way that both engines know, or matches nothing.
    Plain(String),
    /// Options that change, `\K`: writes nothing, but a quantifier cannot reach over it.
    Nothing,
    /// What an earlier group matched.
    Backreference(String),
    /// `\b`, or `\B` when negated.
    Boundary { negated: bool },
    /// `^` under the option `m`.
    LineStart,
    /// `$` without the option `m`, and `\Z`: the end, or before a newline that ends the text.
    End,
    /// The start of a group.
    Open(Group),
    /// The end of a group of that kind.
    Close(Group),
    /// `|`
    Alternate,
    /// How often the token before matches, with its `?` (lazy) or `+` (possessive).
    Quantifier(String),
}

/// The kinds of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Group {
    /// `(?:`
    Plain,
    /// `(`
    Capture,
    /// `(?<name>`
    Named(String),
    /// `(?>`
    Atomic,
    /// `(?=`, `(?!`, `(?<=`, `(?<!`
    Look(&'static str),
}

impl Token {
    /// Whether a quantifier may follow.
    pub(super) fn repeats(&self) -> bool {
        !matches!(
            self,
            Self::Nothing | Self::Open(_) | Self::Alternate | Self::Quantifier(_)
        )
    }
}

impl Group {
    pub(super) fn opening(&self) -> String {
        match self {
            Self::Plain => "(?:".to_owned(),
            Self::Capture => "(".to_owned(),
            Self::Named(name) => format!("(?P<{name}>"),
            Self::Atomic => "(?>".to_owned(),
            Self::Look(opening) => (*opening).to_owned(),
        }
    }

    pub(super) fn captures(&self) -> bool {
        matches!(self, Self::Capture | Self::Named(_))
    }
}
