//! What was found, in bounded memory: numbers, and the first objects.

use std::collections::BTreeMap;

use stockroom_model::ObjectId;
use stockroom_model::object::Violation;

/// How many objects a finding names.
const MAX_NAMED: usize = 100;

/// What is found of a field, or of objects as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// A value moves to the field, where the object holds one already.
    Taken,
    /// The field would show or lose passwords.
    Exposed,
    /// The value breaks a rule of the field.
    Violation(Violation),
    /// The field needs a value.
    Required,
    /// The target is missing or hidden.
    Target,
    /// The field does not take targets of this type.
    TargetType,
    /// The field goes, and the object holds a value of it.
    Removed,
    /// The value moves to the field.
    Renamed,
    /// The names of the object differ from those of the type.
    Unclean,
}

/// The objects of which something is found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Finding {
    /// How many they are.
    pub(crate) count: usize,
    /// The first of them.
    pub(crate) first: Vec<ObjectId>,
    last: Option<ObjectId>,
}

/// All that is found, by reason and by the index of the field in its type.
#[derive(Debug, Clone)]
pub(crate) struct Findings {
    /// The objects that were examined.
    pub(crate) examined: usize,
    /// Those that would change.
    pub(crate) changed: usize,
    pub(crate) by_field: BTreeMap<(Reason, usize), Finding>,
    names_objects: bool,
}

impl Findings {
    pub(crate) const fn new(names_objects: bool) -> Self {
        Self {
            examined: 0,
            changed: 0,
            by_field: BTreeMap::new(),
            names_objects,
        }
    }

    /// Counts an examined object.
    pub(super) fn count(&mut self, changes: bool) {
        self.examined += 1;
        self.changed += usize::from(changes);
    }

    /// Notes a finding; objects come in the order of their ids. Each counts once.
    pub(super) fn note(&mut self, reason: Reason, field: usize, id: ObjectId) {
        let finding = self.by_field.entry((reason, field)).or_default();
        if finding.last.replace(id) == Some(id) {
            return;
        }
        finding.count += 1;
        if self.names_objects && finding.first.len() < MAX_NAMED {
            finding.first.push(id);
        }
    }

    /// Adds the findings of later objects.
    pub(crate) fn add(&mut self, later: Self) {
        self.examined += later.examined;
        self.changed += later.changed;
        for (key, more) in later.by_field {
            let finding = self.by_field.entry(key).or_default();
            finding.count += more.count;
            let room = MAX_NAMED - finding.first.len();
            finding.first.extend(more.first.into_iter().take(room));
        }
    }
}
