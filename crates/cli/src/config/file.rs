//! The TOML file. Its values become the defaults of the flags, so that flags and environment take
//! precedence.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, Parser};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{environment, variables};

/// The flag that names the file.
pub(super) const FLAG: &str = "config";
const FILE_ID: &str = "file";

/// The secrets that have no flag: the password of the user admin on the first start, and 64
/// hexadecimal digits from which all keys derive. Without the latter, the key is kept in the
/// database.
pub(super) const SECRETS: [&str; 2] = ["admin_password", "secret_key"];

/// Reads the command line, and for its settings environment and file. Prints usage errors and
/// exits, as `clap` does.
///
/// # Errors
///
/// The file, or a file that holds a secret, cannot be read or is malformed, or the environment has
/// a variable that is misspelt.
pub(crate) fn parse<C: Parser>() -> anyhow::Result<(C, ArgMatches)> {
    let matches = |command: Command| {
        let secret = secret_flags(&command);
        let matches = command.try_get_matches();
        matches.unwrap_or_else(|error| without_secret(error, &secret).exit())
    };
    let first = matches(C::command());
    variables::check(&C::command())?;
    let file = named_file(&first)
        .map(|path| File::read(&path))
        .transpose()?;
    let command = with_defaults(C::command(), file.as_ref())?;
    let matches = matches(command);
    refuse_two_places(&matches)?;
    let parsed = C::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    Ok((parsed, matches))
}

/// Refuses `--data` beside a server that the environment or the file names: who names a directory
/// does not mean the server.
fn refuse_two_places(matches: &ArgMatches) -> anyhow::Result<()> {
    if let Some((_, inner)) = matches.subcommand() {
        return refuse_two_places(inner);
    }
    let is_given = |id: &str| matches!(matches.try_contains_id(id), Ok(true));
    let is_flag = |id| is_given(id) && matches.value_source(id) == Some(ValueSource::CommandLine);
    if is_flag("data") && is_given("database") {
        bail!(
            "--data names a directory, and {} a server: leave one of them out",
            if is_flag("database") {
                "--database"
            } else {
                "STOCKROOM_DATABASE, its file or the configuration file"
            }
        );
    }
    Ok(())
}

/// The flags whose values may contain a password, as errors begin to name them.
fn secret_flags(command: &Command) -> Vec<String> {
    let own = command.get_arguments();
    let own = own.filter(|arg| arg.is_hide_env_values_set());
    let own = own.filter_map(|arg| Some(format!("--{} ", arg.get_long()?)));
    let inner = command.get_subcommands().flat_map(secret_flags);
    own.chain(inner).collect()
}

/// Masks the value that an error quotes, if it is of one of these flags.
fn without_secret(mut error: clap::Error, flags: &[String]) -> clap::Error {
    if let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
        && flags.iter().any(|secret| flag.starts_with(secret))
    {
        let masked = ContextValue::String("***".to_owned());
        error.insert(ContextKind::InvalidValue, masked);
    }
    error
}

fn named_file(matches: &ArgMatches) -> Option<PathBuf> {
    let (_, inner) = matches.subcommand()?;
    match inner.try_get_one::<PathBuf>(FILE_ID) {
        Ok(Some(path)) => Some(path.clone()),
        _ => named_file(inner),
    }
}

/// Replaces the defaults of all subcommands by secrets from files that the environment names, and
/// by the values of the TOML file.
fn with_defaults(command: Command, file: Option<&File>) -> anyhow::Result<Command> {
    let mut command = command;
    let takes_settings = command.get_arguments().any(|arg| arg.get_id() == FILE_ID);
    if let Some(file) = file.filter(|_| takes_settings) {
        for setting in &file.settings {
            command = setting.as_default(command, &file.path)?;
        }
    }
    let secret: Vec<(String, String)> = command
        .get_arguments()
        .filter(|arg| arg.is_hide_env_values_set())
        .filter_map(|arg| {
            Some((
                arg.get_id().to_string(),
                arg.get_env()?.to_str()?.to_owned(),
            ))
        })
        .collect();
    for (id, variable) in secret {
        if let Some(value) = environment::secret(&variable)? {
            command = command.mut_arg(id, |arg| arg.default_value(OsString::from(value)));
        }
    }
    let names: Vec<String> = command
        .get_subcommands()
        .map(|inner| inner.get_name().to_owned())
        .collect();
    for name in names {
        let inner = command.find_subcommand(&name).cloned().unwrap_or_default();
        let inner = with_defaults(inner, file)?;
        command = command.mut_subcommand(name, |_| inner);
    }
    Ok(command)
}

/// A parsed TOML file.
pub(super) struct File {
    path: PathBuf,
    settings: Vec<Setting>,
}

struct Setting {
    name: String,
    values: Vec<String>,
    line: usize,
}

impl File {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let line = |offset: usize| 1 + text.get(..offset).unwrap_or_default().matches('\n').count();
        let table = DeTable::parse(&text).map_err(|error| {
            // The `Display` of the error would quote the line, which may contain a secret.
            let line = line(error.span().map_or(0, |span| span.start));
            anyhow!("{}, line {line}: {}", path.display(), error.message())
        })?;
        let mut settings = Vec::new();
        for (name, value) in table.into_inner() {
            let line = line(name.span().start);
            let is_secret = SECRETS.contains(&name.get_ref().as_ref());
            let values = if is_secret {
                value.get_ref().as_str().map(|text| vec![text.to_owned()])
            } else {
                values(&value)
            };
            let expected = if is_secret {
                "a secret as a text in quotes"
            } else {
                "a text, a number, true, false, or a list of these"
            };
            settings.push(Setting {
                values: values.with_context(|| {
                    format!("{}, line {line}: expected {expected}", path.display())
                })?,
                name: name.into_inner().into_owned(),
                line,
            });
        }
        Ok(Self {
            path: path.to_owned(),
            settings,
        })
    }

    /// The value of a string setting.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let setting = self.settings.iter().find(|setting| setting.name == name)?;
        setting.values.first().cloned()
    }
}

fn values(value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Array(items) => {
            let items = items.iter().map(values);
            return items
                .collect::<Option<Vec<_>>>()
                .map(|items| items.concat());
        }
        _ => return None,
    };
    Some(vec![text])
}

impl Setting {
    /// Sets the value as the default of its flag.
    fn as_default(&self, command: Command, path: &Path) -> anyhow::Result<Command> {
        if SECRETS.contains(&self.name.as_str()) {
            return Ok(command);
        }
        let position = format!("{}, line {}", path.display(), self.line);
        let settings = || command.get_arguments().filter(|arg| is_setting(arg));
        let Some(arg) = settings().find(|arg| arg.get_id() == self.name.as_str()) else {
            let mut known: Vec<&str> = settings().map(|arg| arg.get_id().as_str()).collect();
            known.extend(SECRETS);
            bail!(
                "{position}: unknown setting `{}`, expected one of {}",
                self.name,
                known.join(", ")
            );
        };
        self.check(arg)
            .map_err(|reason| anyhow!("{position}: {}: {reason}", self.name))?;
        Ok(command.mut_arg(&self.name, |arg| arg.default_values(self.values.clone())))
    }

    /// Lets clap parse the value, as an error about a default would not name the line.
    fn check(&self, arg: &Arg) -> Result<(), String> {
        let flags = self
            .values
            .iter()
            .map(|value| format!("--{}={value}", self.name.replace('_', "-")));
        let probe = Command::new("file").no_binary_name(true).arg(arg.clone());
        probe
            .try_get_matches_from(flags)
            .map(drop)
            .map_err(|error| {
                std::error::Error::source(&error)
                    .map_or_else(|| "is not acceptable".to_owned(), ToString::to_string)
            })
    }
}

/// A flag that can also be written in the file.
pub(super) fn is_setting(arg: &Arg) -> bool {
    arg.get_long().is_some() && arg.get_env().is_some() && arg.get_id() != FILE_ID
}
