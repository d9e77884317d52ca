//! Random searches find what a scan of all documents finds, whatever is indexed already.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};
use stockroom_testkit::{TestServer, apply, both, inventory};

use crate::fixture::{field, field_with, make_type, patch_type, path};
use crate::search::{ids, index};

const SEED: u64 = 20_261_123;
const ROUNDS: usize = 12;
const SEARCHES: usize = 60;
/// Ids in a block of the index, and blocks: searches read the newest ones before the others.
const BLOCK: usize = 15_000;
const BLOCKS: usize = 10;
const FIELDS: [&str; 3] = ["name", "serial", "notes"];
const PIECES: [&str; 14] = [
    "web", "db", "SN", "a", "ab", "abc", "01", "b8", "27", "eb", "Ärger", "weber", "x", "0012",
];
const SEPARATORS: [&str; 7] = [" ", "-", ":", "", ", ", ".", " / "];

/// An object of the model: its type and its values by field.
struct Known {
    type_id: i64,
    values: [String; 3],
}

/// The classes of matches, the best one first.
type Rank = (u8, bool);

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn text(&mut self, most: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.below(most + 1) {
            text.push_str(PIECES[self.below(PIECES.len())]);
            text.push_str(SEPARATORS[self.below(SEPARATORS.len())]);
        }
        text
    }

    fn values(&mut self) -> [String; 3] {
        [self.text(2), self.text(3), self.text(8)]
    }

    /// A part of a text, cut anywhere.
    fn part(&mut self, text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let from = self.below(characters.len() + 1);
        let length = 1 + self.below(6);
        characters.iter().skip(from).take(length).collect()
    }
}

/// The text in lower case, split at white space, without separators; and for each character
/// whether a word starts there.
fn chunks(text: &str) -> Vec<Vec<(char, bool)>> {
    let mut chunks = Vec::new();
    for chunk in text.split_whitespace() {
        let mut characters = Vec::new();
        let mut in_word = false;
        for character in chunk.chars() {
            if character.is_alphanumeric() {
                for lower in character.to_lowercase() {
                    characters.push((lower, !in_word));
                    in_word = true;
                }
            } else {
                in_word = false;
            }
        }
        if !characters.is_empty() {
            chunks.push(characters);
        }
    }
    chunks
}

fn class_of_word(word: &str, value: &str) -> Option<u8> {
    let word: Vec<char> = chunks(word)
        .concat()
        .iter()
        .map(|(letter, _)| *letter)
        .collect();
    let chunks = chunks(value);
    let mut best = None;
    for (number, chunk) in chunks.iter().enumerate() {
        for at in 0..chunk.len() {
            let here: Vec<char> = chunk[at..].iter().map(|(letter, _)| *letter).collect();
            if !here.starts_with(&word) {
                continue;
            }
            let starts = chunk[at].1;
            let ends = chunk.get(at + word.len()).is_none_or(|(_, starts)| *starts);
            let class = match (number == 0 && at == 0, starts, ends) {
                (true, ..) if chunks.len() == 1 && chunk.len() == word.len() => 0,
                (true, ..) => 1,
                (_, true, true) => 2,
                (_, true, false) => 3,
                _ if word.len() < 3 => continue,
                _ => 4,
            };
            best = Some(best.map_or(class, |known: u8| known.min(class)));
        }
    }
    best
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn class_of_phrase(phrase: &str, value: &str) -> Option<u8> {
    let (phrase, value) = (words(phrase), words(value));
    let at = (0..value.len()).find(|at| value[*at..].starts_with(&phrase))?;
    Some(match at {
        0 if value.len() == phrase.len() => 0,
        0 => 1,
        _ => 2,
    })
}

/// A random term: its text in a query, the field it names, and the text to find.
struct Term {
    text: String,
    is_phrase: bool,
    field: Option<&'static str>,
}

impl Term {
    fn of(dice: &mut Dice, values: &[String; 3]) -> Option<Self> {
        let field = dice.below(3);
        let text = dice.part(&values[field]).replace('"', "");
        let is_phrase = dice.below(4) == 0;
        let field = (dice.below(4) == 0).then(|| FIELDS[dice.below(3)]);
        let text = if is_phrase {
            text
        } else {
            text.split_whitespace().next()?.to_owned()
        };
        let is_text = text.chars().any(char::is_alphanumeric);
        is_text.then_some(Self {
            text,
            is_phrase,
            field,
        })
    }

    fn query(&self) -> String {
        let text = if self.is_phrase {
            format!("\"{}\"", self.text)
        } else {
            self.text.clone()
        };
        match self.field {
            Some("serial") => format!("Serial-Number:{text}"),
            Some(field) => format!("{field}:{text}"),
            None => text,
        }
    }

    fn rank(&self, id: i64, known: &Known) -> Option<Rank> {
        let digits = self
            .text
            .trim_matches(|letter: char| !letter.is_alphanumeric());
        if self.field.is_none() && !self.is_phrase && digits == id.to_string() {
            return Some((0, false));
        }
        let fields = FIELDS.iter().zip(&known.values);
        let asked = fields.filter(|(name, _)| self.field.is_none_or(|field| field == **name));
        let ranks = asked.filter_map(|(name, value)| {
            let class = if self.is_phrase {
                class_of_phrase(&self.text, value)
            } else {
                class_of_word(&self.text, value)
            };
            Some((class?, *name != "name"))
        });
        ranks.min()
    }
}

/// The ids of the objects that all terms match, best first.
fn expected(objects: &BTreeMap<i64, Known>, terms: &[Term], type_id: Option<i64>) -> Vec<i64> {
    let of_type = |known: &Known| type_id.is_none_or(|type_id| known.type_id == type_id);
    let asked = objects.iter().filter(|(_, known)| of_type(known));
    let mut found: Vec<(Rank, Reverse<i64>)> = asked
        .filter_map(|(id, known)| {
            let ranks: Option<Vec<Rank>> = terms.iter().map(|term| term.rank(*id, known)).collect();
            Some((ranks?.into_iter().max()?, Reverse(*id)))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, Reverse(id))| id).collect()
}

async fn types(server: &TestServer) -> [i64; 2] {
    let admin = server.admin();
    let mut made = [0; 2];
    for (id, name) in made.iter_mut().zip(["lamp", "chair"]) {
        let label = json!({"label": "Serial number"});
        let fields = [
            field("text", "name"),
            field_with("text", "serial", &label),
            field("textarea", "notes"),
        ];
        *id = make_type(&admin, name, &fields).await;
        let meta = json!({"render_meta": {"summary": {"fields": ["name"]}}});
        let _ = patch_type(&admin, *id, meta).await.expect(202);
    }
    made
}

fn items(values: &[String; 3]) -> Vec<(&'static str, Value)> {
    FIELDS
        .into_iter()
        .zip(values.iter().map(|value| json!(value)))
        .collect()
}

/// Inserts, changes and deletes some objects.
async fn write(
    server: &TestServer,
    dice: &mut Dice,
    types: [i64; 2],
    objects: &mut BTreeMap<i64, Known>,
) {
    let admin = server.admin();
    for _ in 0..=dice.below(6) {
        let some = objects
            .keys()
            .nth(dice.below(objects.len().max(1)))
            .copied();
        let values = dice.values();
        match (dice.below(6), some) {
            (0, Some(id)) => {
                let _ = admin.delete(&path(id)).await.expect(200);
                objects.remove(&id);
            }
            (1 | 2, Some(id)) => {
                let fields: Vec<Value> = items(&values)
                    .iter()
                    .map(|(name, value)| json!({"name": name, "value": value}))
                    .collect();
                let _ = admin
                    .patch(&path(id), json!({"fields": fields}))
                    .await
                    .expect(200);
                objects.get_mut(&id).unwrap().values = values;
            }
            _ => {
                let type_id = types[dice.below(2)];
                let mut body = inventory::object(type_id, &items(&values));
                let id = BLOCK * dice.below(BLOCKS) + 1 + dice.below(40);
                let id = i64::try_from(id).unwrap();
                if !objects.contains_key(&id) {
                    body["public_id"] = json!(id);
                }
                let id = inventory::insert(&admin, "/rest/objects", body).await;
                objects.insert(id, Known { type_id, values });
            }
        }
    }
}

#[apply(both)]
async fn searches_find_what_a_scan_finds(server: TestServer) {
    let mut dice = Dice(SEED);
    let types = types(&server).await;
    let mut objects = BTreeMap::new();
    let mut matches = 0;
    for _ in 0..ROUNDS {
        write(&server, &mut dice, types, &mut objects).await;
        if dice.below(2) == 0 {
            index(&server).await;
        }
        for _ in 0..SEARCHES {
            let Some(known) = objects.values().nth(dice.below(objects.len().max(1))) else {
                continue;
            };
            let count = 1 + dice.below(3);
            let terms: Vec<Term> = (0..count)
                .filter_map(|_| Term::of(&mut dice, &known.values))
                .collect();
            if terms.is_empty() {
                continue;
            }
            let mut query: Vec<String> = terms.iter().map(Term::query).collect();
            let type_id = (dice.below(5) == 0).then_some(known.type_id);
            query.extend(
                type_id
                    .map(|id| format!("type:{}", ["lamp", "chair"][usize::from(id == types[1])])),
            );
            let query = query.join(" ");
            let expected = expected(&objects, &terms, type_id);
            matches += expected.len();
            assert_eq!(ids(&server.admin(), &query).await, expected, "{query:?}");
        }
    }
    assert!(matches > 300, "{matches} matches prove little");
}
