//! The tokens of a parsed expression, independent of the engine.

/// One token of a regular expression; its text is in the syntax that both engines share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Matches exactly one character.
    Character(String),
    /// An assertion that both engines know, or text that matches nothing.
    Plain(String),
    /// A change of options, or `\K`: writes nothing, and cannot be repeated.
    Nothing,
    /// What an earlier group matched.
    Backreference(String),
    /// `\b`, or `\B` when negated.
    Boundary { negated: bool },
    /// `^` under the option `m`.
    LineStart,
    /// `$` without the option `m`, and `\Z`: at the end, or before a newline at the end.
    End,
    /// The start of a group.
    Open(Group),
    /// The end of a group of this kind.
    Close(Group),
    /// `|`
    Alternate,
    /// Repeats the previous token; includes its `?` (lazy) or `+` (possessive).
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
