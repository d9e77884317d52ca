//! Password fields: null in the document, encrypted in a column of the row.

use std::collections::{BTreeMap, BTreeSet};

use stockroom_access::Operation;
use stockroom_access::permission::ObjectEdit;
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_model::object::secret::{self, MASK, SecretChange, is_mask, put};
use stockroom_model::{Object, ObjectId, Type};
use stockroom_render::Record;
use stockroom_store::{ObjectRow, ReadTx, TypeEntry};

use crate::core::access::Access;
use crate::core::master_key::refuse_rotated;
use crate::{Error, Service};

type Sealed = BTreeMap<String, String>;

fn sealed(row: &ObjectRow) -> Result<Sealed, Error> {
    row.secrets.as_deref().map_or_else(
        || Ok(Sealed::new()),
        |text| serde_json::from_str(text).map_err(Error::internal),
    )
}

impl Service {
    /// The encrypted values after a write. Fields that `changes` does not name lose theirs.
    pub(crate) fn seal(
        &self,
        tx: &mut ReadTx<'_>,
        id: ObjectId,
        changes: &[(String, SecretChange)],
        stored: Option<&ObjectRow>,
    ) -> Result<Option<String>, Error> {
        let is_set = |(_, change): &(String, SecretChange)| matches!(change, SecretChange::Set(_));
        if changes.iter().any(is_set) {
            refuse_rotated(tx, &self.keys)?;
        }
        let old = stored.map_or_else(|| Ok(Sealed::new()), sealed)?;
        let mut new = Sealed::new();
        for (field, change) in changes {
            match change {
                SecretChange::Keep => new.extend(
                    old.get_key_value(field)
                        .map(|(field, value)| (field.clone(), value.clone())),
                ),
                SecretChange::Set(plain) => {
                    let sealed = match old.get(field) {
                        Some(sealed) if self.is_sealed_in(id, field, plain, sealed) => {
                            sealed.clone()
                        }
                        _ => self.encrypt(id.get(), field, plain)?,
                    };
                    new.insert(field.clone(), sealed);
                }
            }
        }
        to_text(&new)
    }

    /// Whether a password equals the stored one, which the caller of a write may see. Encrypting it
    /// again would look like a change.
    fn is_sealed_in(&self, id: ObjectId, field: &str, plain: &str, sealed: &str) -> bool {
        stockroom_auth::secret::open(&self.keys, id.get(), field, sealed)
            .is_ok_and(|stored| stored == plain)
    }

    /// Encrypts the values of fields that are becoming passwords; `None` if there were none to
    /// encrypt. A value that is not a string is encrypted as its JSON.
    pub(crate) fn encrypt_values(
        &self,
        row: &ObjectRow,
        object: &mut Object,
        fields: &BTreeSet<&str>,
    ) -> Result<Option<String>, Error> {
        let mut all = sealed(row)?;
        let mut items = object.items().to_vec();
        let mut changed = false;
        for entry in &mut items {
            let Some((name, value)) = named(entry).filter(|(name, _)| fields.contains(name)) else {
                continue;
            };
            let plain = match value {
                Value::Null => continue,
                Value::String(text) if text.is_empty() => continue,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let encrypted = self.encrypt(row.public_id.get(), name, &plain)?;
            let name = name.to_owned();
            *entry = item(&name, Value::Null);
            all.insert(name, encrypted);
            changed = true;
        }
        if !changed {
            return Ok(None);
        }
        object.set_items(items);
        to_text(&all)
    }

    /// The encrypted values under new names. A value is bound to its name, so it is encrypted again.
    pub(crate) fn rename_secrets(
        &self,
        row: &ObjectRow,
        new: &BTreeMap<&str, &str>,
    ) -> Result<Option<String>, Error> {
        let mut renamed = Sealed::new();
        for (field, value) in sealed(row)? {
            let Some(name) = new.get(field.as_str()) else {
                renamed.insert(field, value);
                continue;
            };
            let id = row.public_id.get();
            let plain = stockroom_auth::secret::open(&self.keys, id, &field, &value);
            let plain = plain.map_err(Error::internal)?;
            renamed.insert((*name).to_owned(), self.encrypt(id, name, &plain)?);
        }
        to_text(&renamed)
    }

    fn encrypt(&self, object: i64, field: &str, plain: &str) -> Result<String, Error> {
        stockroom_auth::secret::seal(&self.keys, object, field, plain, self.entropy.as_ref())
            .map_err(Error::internal)
    }

    /// Reveals the passwords of an object to a caller who may edit it. Fields that the type no
    /// longer has stay masked: if a client sent them back, they would be stored unencrypted.
    pub(crate) fn reveal(&self, definition: &Type, row: ObjectRow) -> Result<ObjectRow, Error> {
        let mut texts = BTreeMap::new();
        for (field, value) in sealed(&row)? {
            let is_password = definition
                .field(&field)
                .is_some_and(|field| field.kind.is_secret());
            let text = if is_password {
                stockroom_auth::secret::open(&self.keys, row.public_id.get(), &field, &value)
                    .map_err(Error::internal)?
            } else {
                MASK.to_owned()
            };
            texts.insert(field, text);
        }
        with_texts(row, &texts)
    }
}

/// Takes the passwords out of a written document and leaves null. A mask keeps the stored password,
/// also of a field that the type no longer has; only cleaning the object removes that.
pub(crate) fn take(
    definition: &Type,
    items: &mut [Value],
    stored: &ObjectRow,
) -> Result<Vec<(String, SecretChange)>, Error> {
    let mut changes = secret::take(definition, items);
    let sealed = sealed(stored)?;
    for entry in items {
        let kept = named(entry).filter(|(name, value)| {
            is_mask(value) && sealed.contains_key(*name) && definition.field(name).is_none()
        });
        if let Some(name) = kept.map(|(name, _)| name.to_owned()) {
            *entry = item(&name, Value::Null);
            changes.push((name, SecretChange::Keep));
        }
    }
    Ok(changes)
}

/// The fields with encrypted values.
pub(crate) fn names(row: &ObjectRow) -> Result<impl Iterator<Item = String>, Error> {
    Ok(sealed(row)?.into_keys())
}

fn named(entry: &Value) -> Option<(&str, &Value)> {
    Some((entry.get("name")?.as_str()?, entry.get("value")?))
}

/// Masks the passwords that are set.
pub(crate) fn mask(row: &ObjectRow, object: &mut Object) -> Result<(), Error> {
    let sealed = sealed(row)?;
    // Old documents may hold anything in place of fields; without passwords there is nothing to
    // replace.
    if !sealed.is_empty() {
        replace(object, |field| {
            sealed.contains_key(field).then(|| MASK.to_owned())
        });
    }
    Ok(())
}

/// Masks the passwords in a row. Most rows have none and pass unchanged.
pub(crate) fn masked(row: ObjectRow) -> Result<ObjectRow, Error> {
    if row.secrets.is_none() {
        return Ok(row);
    }
    let masks = sealed(&row)?
        .into_keys()
        .map(|field| (field, MASK.to_owned()));
    with_texts(row, &masks.collect())
}

/// Puts these texts into the document in place of its passwords.
fn with_texts(mut row: ObjectRow, texts: &BTreeMap<String, String>) -> Result<ObjectRow, Error> {
    row.secrets = None;
    row.document = if let Some(document) = splice_texts(&row.document, texts) {
        document
    } else {
        let mut object = row.object()?;
        // Old documents may hold anything in place of fields; without passwords there is nothing to
        // replace.
        if !texts.is_empty() {
            replace(&mut object, |field| texts.get(field).cloned());
        }
        serde_json::to_string(object.members()).map_err(Error::internal)?
    };
    Ok(row)
}

/// With more texts, parsing the document is cheaper: each splice searches from the start.
const MAX_SPLICES: usize = 4;

/// The document with these texts spliced in, if that is possible without parsing it.
fn splice_texts(document: &str, texts: &BTreeMap<String, String>) -> Option<String> {
    if texts.len() > MAX_SPLICES {
        return None;
    }
    texts
        .iter()
        .try_fold(document.to_owned(), |document, (field, text)| {
            let text = serde_json::to_string(text).ok()?;
            Record::new(document).ok()?.with_value(field, &text)
        })
}

/// The encrypted values of the fields that a type still has.
pub(crate) fn retain(row: &ObjectRow, definition: &Type) -> Result<Option<String>, Error> {
    let mut kept = sealed(row)?;
    kept.retain(|field, _| definition.field(field).is_some());
    to_text(&kept)
}

/// The encrypted values of the fields that an object has.
pub(crate) fn of_fields(row: &ObjectRow, object: &Object) -> Result<Option<String>, Error> {
    let mut kept = sealed(row)?;
    kept.retain(|field, _| object.field_names().any(|name| name == field));
    to_text(&kept)
}

fn to_text(sealed: &Sealed) -> Result<Option<String>, Error> {
    if sealed.is_empty() {
        Ok(None)
    } else {
        serde_json::to_string(sealed)
            .map(Some)
            .map_err(Error::internal)
    }
}

/// Whether a caller may see the passwords of objects of a type.
pub(crate) fn may_reveal(access: &Access, entry: &TypeEntry) -> bool {
    access.holds::<ObjectEdit>() && access.allows(entry, Operation::Update)
}

fn replace(object: &mut Object, reveal: impl Fn(&str) -> Option<String>) {
    let mut items = object.items().to_vec();
    put(&mut items, reveal);
    object.set_items(items);
}
