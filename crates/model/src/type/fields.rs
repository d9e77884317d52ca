//! The fields of a type, indexed by name.

use std::collections::HashMap;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::FieldDefinition;

/// The fields of a type in their order; finding one by name takes constant time.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    list: Vec<FieldDefinition>,
    index_by_name: HashMap<String, usize>,
}

impl Fields {
    /// The index of the field of that name; of the first if there are several.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.index_by_name.get(name).copied()
    }

    /// The field of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&FieldDefinition> {
        self.list.get(self.index_of(name)?)
    }
}

impl From<Vec<FieldDefinition>> for Fields {
    fn from(list: Vec<FieldDefinition>) -> Self {
        let mut index_by_name = HashMap::with_capacity(list.len());
        for (index, field) in list.iter().enumerate() {
            index_by_name.entry(field.name.clone()).or_insert(index);
        }
        Self {
            list,
            index_by_name,
        }
    }
}

impl Deref for Fields {
    type Target = [FieldDefinition];

    fn deref(&self) -> &[FieldDefinition] {
        &self.list
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}
