//! Hosts in groups, as Ansible reads them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::names::{group, identifier, is_host};
use super::objects::Object;
use super::settings::Settings;
use crate::output::{cell, printable};

/// The hosts that were found.
#[derive(Default)]
pub(super) struct Hosts {
    variables: BTreeMap<String, Map<String, Value>>,
    groups: BTreeMap<String, BTreeSet<String>>,
    nameless: Vec<i64>,
    unreachable: Vec<i64>,
    repeated: Vec<String>,
    like_groups: Vec<String>,
}

impl Hosts {
    /// Adds an object, if it has the name of a host.
    pub(super) fn add(&mut self, settings: &Settings, object: &Object) {
        let name = object.value(&settings.name).map(|name| cell(Some(name)));
        let Some(name) = name.filter(|name| is_host(name)) else {
            self.nameless.push(object.id);
            return;
        };
        let mut variables = variables(settings, object);
        match address(settings, object) {
            Some(address) if is_host(address) => {
                variables.insert("ansible_host".to_owned(), json!(address));
            }
            Some(_) => self.unreachable.push(object.id),
            None => {}
        }
        if self.variables.insert(name.clone(), variables).is_some() {
            self.repeated.push(name.clone());
            // The groups of the object before are not those of this one.
            for hosts in self.groups.values_mut() {
                hosts.remove(&name);
            }
        }
        for group in groups(settings, object) {
            self.groups.entry(group).or_default().insert(name.clone());
        }
    }

    /// Leaves out hosts with the name of a group: Ansible would take the one for the other, and give
    /// the variables of the host to the whole group.
    pub(super) fn leave_out_groups(&mut self) {
        let groups: BTreeSet<String> = self.groups.keys().cloned().collect();
        for group in &groups {
            if self.variables.remove(group).is_some() {
                self.like_groups.push(group.clone());
            }
        }
        for hosts in self.groups.values_mut() {
            hosts.retain(|host| !groups.contains(host));
        }
    }

    /// What the user should know of objects that are missing.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(first) = self.nameless.first() {
            let count = self.nameless.len();
            warnings.push(format!(
                "objects without the name of a host, which are left out: {count}, such as {first}"
            ));
        }
        if let Some(first) = self.unreachable.first() {
            let count = self.unreachable.len();
            warnings.push(format!(
                "objects with an address that is left out, because it is none of another machine: {count}, such as {first}"
            ));
        }
        if let Some(first) = self.like_groups.first() {
            let (count, first) = (self.like_groups.len(), printable(first));
            warnings.push(format!(
                "objects with the name of a group, which are left out: {count}, such as {first}"
            ));
        }
        if let Some(first) = self.repeated.first() {
            let (count, first) = (self.repeated.len(), printable(first));
            warnings.push(format!(
                "objects left out for a later one of the same name: {count}, such as {first}"
            ));
        }
        warnings
    }

    /// The whole inventory.
    pub(super) fn into_document(self) -> Value {
        let groups = self.groups.into_iter();
        let groups = groups.filter(|(_, hosts)| !hosts.is_empty());
        let mut document: Map<String, Value> = groups
            .map(|(name, hosts)| (name, json!({ "hosts": hosts })))
            .collect();
        // Also those in no group; and Ansible needs not ask for each host.
        let hosts: Vec<&String> = self.variables.keys().collect();
        document.insert("all".to_owned(), json!({ "hosts": hosts }));
        let meta = json!({"hostvars": self.variables});
        document.insert("_meta".to_owned(), meta);
        document.into()
    }

    /// The variables of a host.
    pub(super) fn variables(mut self, name: &str) -> Option<Value> {
        self.variables.remove(name).map(Value::from)
    }
}

fn variables(settings: &Settings, object: &Object) -> Map<String, Value> {
    let mut variables = Map::new();
    for path in &settings.vars {
        if let Some(value) = object.value(path) {
            let name = format!("{}{}", settings.prefix, identifier(path));
            variables.insert(name, inert(value));
        }
    }
    // After the fields, so that no field takes their place.
    variables.insert("stockroom_id".to_owned(), json!(object.id));
    let type_name = json!(object.type_name);
    variables.insert("stockroom_type".to_owned(), inert(&type_name));
    variables
}

/// The address of an object, without the length of a network.
fn address<'o>(settings: &Settings, object: &'o Object) -> Option<&'o str> {
    let field = settings.address.as_deref()?;
    let text = object.value(field)?.as_str()?;
    let address = text.split('/').next().unwrap_or(text);
    Some(address).filter(|address| !address.is_empty())
}

/// Ansible runs templates in variables, and values come from other users. All texts are marked: two
/// that are none may be one together.
fn inert(value: &Value) -> Value {
    match value {
        Value::String(text) => json!({"__ansible_unsafe": text}),
        Value::Array(items) => items.iter().map(inert).collect(),
        Value::Object(members) => {
            // Such members are marks of Ansible, too.
            let members = members
                .iter()
                .filter(|(name, _)| !name.starts_with("__ansible"));
            let members = members.map(|(name, value)| (name.clone(), inert(value)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

/// `type_server`, and the value of each field: `site_Berlin`.
fn groups(settings: &Settings, object: &Object) -> Vec<String> {
    let mut groups = Vec::from_iter(group(&format!("type_{}", object.type_name)));
    for path in &settings.group_by {
        let value = object.value(path);
        let values = match value {
            Some(Value::Array(items)) => items.iter().collect(),
            other => Vec::from_iter(other),
        };
        let texts = values.into_iter().map(|value| cell(Some(value)));
        let texts = texts.filter(|text| !text.is_empty());
        groups.extend(texts.filter_map(|text| group(&format!("{path}_{text}"))));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_templates_and_no_marks() {
        let value = json!(["{{ lookup('pipe', 'id') }}", {"a": "{", "__ansible_vault": "x"}, 1]);
        let expected = json!([
            {"__ansible_unsafe": "{{ lookup('pipe', 'id') }}"},
            {"a": {"__ansible_unsafe": "{"}},
            1,
        ]);
        assert_eq!(inert(&value), expected);
    }
}
