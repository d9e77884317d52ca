//! Builds the bodies of types: a field is declared in the section that shows it, so none is left
//! out.

use serde_json::{Map, Value, json};

use crate::users::ADMINISTRATOR;

/// A type under construction.
pub(super) struct Definition {
    id: i64,
    name: &'static str,
    label: &'static str,
    icon: &'static str,
    description: &'static str,
    active: bool,
    acl: Value,
    fields: Vec<Value>,
    sections: Vec<Value>,
    externals: Vec<Value>,
    summary: Vec<&'static str>,
}

impl Definition {
    /// A type without fields.
    pub(super) fn new(
        id: i64,
        name: &'static str,
        label: &'static str,
        icon: &'static str,
        description: &'static str,
    ) -> Self {
        Self {
            id,
            name,
            label,
            icon,
            description,
            active: true,
            acl: json!({"activated": false, "groups": {"includes": {}}}),
            fields: Vec::new(),
            sections: Vec::new(),
            externals: Vec::new(),
            summary: Vec::new(),
        }
    }

    /// Adds a section with its fields.
    pub(super) fn section<const N: usize>(
        mut self,
        name: &str,
        label: &str,
        fields: [Field; N],
    ) -> Self {
        let names: Vec<&Value> = fields
            .iter()
            .filter_map(|field| field.0.get("name"))
            .collect();
        self.sections.push(
            json!({"type": "section", "name": name, "label": label, "reference": {}, "fields": names}),
        );
        self.fields
            .extend(fields.into_iter().map(|field| Value::Object(field.0)));
        self
    }

    /// Adds a section that shows a section of a referenced object. Its reference field is called
    /// `<name>-field`.
    pub(super) fn reference_section(
        mut self,
        name: &str,
        label: &str,
        (type_id, section): (i64, &str),
        selected: &[&str],
    ) -> Self {
        let field = format!("{name}-field");
        self.sections.push(json!({
            "type": "ref-section",
            "name": name,
            "label": label,
            "reference": {"type_id": type_id, "section_name": section, "selected_fields": selected},
            "fields": [field],
        }));
        self.fields.push(
            json!({"type": "ref-section-field", "name": field, "label": label, "ref_types": [type_id]}),
        );
        self
    }

    /// Adds a link to another system; the values of `fields` replace the brackets in `href`.
    pub(super) fn external(
        mut self,
        name: &str,
        label: &str,
        icon: &str,
        href: &str,
        fields: &[&str],
    ) -> Self {
        self.externals.push(
            json!({"name": name, "href": href, "label": label, "icon": icon, "fields": fields}),
        );
        self
    }

    /// Sets the fields of the one-line summary of an object.
    pub(super) fn summary<const N: usize>(mut self, fields: [&'static str; N]) -> Self {
        self.summary = fields.to_vec();
        self
    }

    /// Grants access to the objects only to these groups.
    pub(super) fn only_for<const N: usize>(mut self, groups: [(i64, &[&str]); N]) -> Self {
        let includes: Map<String, Value> = groups
            .into_iter()
            .map(|(group, permissions)| (group.to_string(), json!(permissions)))
            .collect();
        self.acl = json!({"activated": true, "groups": {"includes": includes}});
        self
    }

    /// Makes the type inactive, so that it refuses new objects.
    pub(super) fn inactive(mut self) -> Self {
        self.active = false;
        self
    }

    /// The body of the insert.
    pub(super) fn body(self) -> Value {
        json!({
            "public_id": self.id,
            "name": self.name,
            "label": self.label,
            "author_id": ADMINISTRATOR,
            "active": self.active,
            "version": stockroom_model::DEFAULT_VERSION,
            "description": self.description,
            "fields": self.fields,
            "render_meta": {
                "icon": self.icon,
                "sections": self.sections,
                "externals": self.externals,
                "summary": {"fields": self.summary},
            },
            "acl": self.acl,
        })
    }
}

/// A field under construction.
pub(super) struct Field(Map<String, Value>);

impl Field {
    fn new(kind: &str, name: &str, label: &str) -> Self {
        Self(Map::new())
            .with("type", json!(kind))
            .with("name", json!(name))
            .with("label", json!(label))
    }

    fn with(mut self, key: &str, value: Value) -> Self {
        self.0.insert(key.to_owned(), value);
        self
    }

    fn with_options(self, options: &[(&str, &str)]) -> Self {
        let options: Vec<Value> = options
            .iter()
            .map(|(name, label)| json!({"name": name, "label": label}))
            .collect();
        self.with("options", Value::Array(options))
    }

    /// Makes the field required.
    pub(super) fn required(self) -> Self {
        self.with("required", json!(true))
    }

    /// Lets no two objects have the same value.
    pub(super) fn unique(self) -> Self {
        self.with("unique", json!(true))
    }

    /// Sets the expression that the whole value must match.
    pub(super) fn regex(self, pattern: &str) -> Self {
        self.with("regex", json!(pattern))
    }

    /// Sets an example for the empty input.
    pub(super) fn placeholder(self, text: &str) -> Self {
        self.with("placeholder", json!(text))
    }

    /// Sets a help text below the input.
    pub(super) fn help(self, text: &str) -> Self {
        self.with("helperText", json!(text))
    }

    /// Sets the initial value in new objects.
    pub(super) fn preset(self, value: &str) -> Self {
        self.with("value", json!(value))
    }

    /// Sets how a reference to an object of `type_id` is shown; the values of `fields` replace the
    /// brackets in `line`.
    pub(super) fn line(mut self, type_id: i64, line: &str, fields: &[&str], icon: &str) -> Self {
        let summary = json!({
            "type_id": type_id,
            "line": line,
            "label": self.0.get("label"),
            "fields": fields,
            "icon": icon,
            "prefix": false,
        });
        if let Some(Value::Array(summaries)) = self.0.get_mut("summaries") {
            summaries.push(summary);
            return self;
        }
        self.with("summaries", json!([summary]))
    }
}

/// One line of text.
pub(super) fn text(name: &str, label: &str) -> Field {
    Field::new("text", name, label)
}

/// Several lines of text.
pub(super) fn textarea(name: &str, label: &str) -> Field {
    Field::new("textarea", name, label)
}

/// The address of a network interface.
pub(super) fn mac(name: &str, label: &str) -> Field {
    Field::new("mac", name, label)
}

/// The address of a mailbox.
pub(super) fn email(name: &str, label: &str) -> Field {
    Field::new("email", name, label)
}

/// A number.
pub(super) fn number(name: &str, label: &str) -> Field {
    Field::new("number", name, label)
}

/// Yes or no.
pub(super) fn checkbox(name: &str, label: &str) -> Field {
    Field::new("checkbox", name, label)
}

/// A day.
pub(super) fn date(name: &str, label: &str) -> Field {
    Field::new("date", name, label)
}

/// A secret.
pub(super) fn password(name: &str, label: &str) -> Field {
    Field::new("password", name, label)
}

/// One of many options.
pub(super) fn select(name: &str, label: &str, options: &[(&str, &str)]) -> Field {
    Field::new("select", name, label).with_options(options)
}

/// One of few options.
pub(super) fn radio(name: &str, label: &str, options: &[(&str, &str)]) -> Field {
    Field::new("radio", name, label).with_options(options)
}

/// An object of one of these types.
pub(super) fn reference(name: &str, label: &str, types: &[i64]) -> Field {
    Field::new("ref", name, label).with("ref_types", json!(types))
}
