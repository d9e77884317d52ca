//! The rights as a tree (`GET /rights/?view=tree`): nested arrays, each beginning with its master.

use serde_json::{Value, json};

use super::{Right, all};

/// The eight top-level elements: `base.*` and an array for each area.
#[must_use]
pub fn tree() -> Vec<Value> {
    build(SHAPE, &mut all().iter())
}

enum Node {
    /// The next `n` rights, in table order.
    Next(usize),
    /// A nested array.
    Below(&'static [Node]),
}

use Node::{Below, Next};

/// The shape cannot be derived from the names: areas differ in whether a resource's master is
/// inside or outside its array.
const SHAPE: &[Node] = &[
    Next(1),
    Below(&[Next(1), Below(&[Next(3)])]),
    Below(&[
        Next(1),
        Below(&[Next(1), Below(&[Next(5)])]),
        Below(&[Next(1), Below(&[Next(6)])]),
        Below(&[Next(1), Below(&[Next(4)])]),
        Below(&[Next(1), Below(&[Next(3)])]),
    ]),
    Below(&[Next(3)]),
    Below(&[Next(3)]),
    Below(&[
        Next(1),
        Below(&[Next(1), Below(&[Next(4)]), Next(1), Below(&[Next(4)])]),
    ]),
    Below(&[
        Next(1),
        Below(&[Next(1), Below(&[Next(5)])]),
        Below(&[Next(1), Below(&[Next(3)])]),
    ]),
    Below(&[Next(1), Below(&[Next(1), Below(&[Next(4)])])]),
];

fn build(shape: &[Node], rights: &mut std::slice::Iter<'static, Right>) -> Vec<Value> {
    let mut elements = Vec::new();
    for node in shape {
        match node {
            Next(count) => elements.extend(rights.by_ref().take(*count).map(|right| json!(right))),
            Below(inner) => elements.push(Value::Array(build(inner, rights))),
        }
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names without the prefixes of their areas, to make the shape readable.
    fn labels(value: &Value) -> String {
        match value {
            Value::Array(items) => {
                format!(
                    "[{}]",
                    items.iter().map(labels).collect::<Vec<_>>().join(" ")
                )
            }
            right => right["label"].as_str().unwrap().to_owned(),
        }
    }

    #[test]
    fn has_the_published_shape() {
        let expected = [
            "base.*",
            "[system.* [system.view system.edit system.reload]]",
            "[framework.* \
             [object.* [object.view object.add object.edit object.delete object.activation]] \
             [type.* [type.view type.add type.edit type.delete type.activation type.clean]] \
             [category.* [category.view category.add category.edit category.delete]] \
             [log.* [log.view log.reload log.delete]]]",
            "[export.* object.* type.*]",
            "[import.* object.* type.*]",
            "[user-management.* [user.* [user.view user.add user.edit user.delete] \
             group.* [group.view group.add group.edit group.delete]]]",
            "[exportd.* [job.* [job.view job.add job.edit job.delete job.run]] \
             [log.* [log.view log.reload log.delete]]]",
            "[docapi.* [template.* [template.view template.add template.edit template.delete]]]",
        ];
        let tree = tree();
        assert_eq!(tree.iter().map(labels).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn holds_every_right_once_in_table_order() {
        fn flatten<'a>(values: &'a [Value], names: &mut Vec<&'a str>) {
            for value in values {
                match value {
                    Value::Array(inner) => flatten(inner, names),
                    right => names.push(right["name"].as_str().unwrap()),
                }
            }
        }
        let tree = tree();
        let mut names = Vec::new();
        flatten(&tree, &mut names);
        assert!(names.into_iter().eq(all().iter().map(|right| right.name)));
    }
}
