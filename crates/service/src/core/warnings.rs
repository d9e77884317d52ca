//! Warnings: doubtful but legal records are stored, and the answer says so. `Prefer:
//! handling=strict` refuses them.

use std::collections::HashMap;

use stockroom_model::Problem;

/// The warnings that are new: an old one is no reason to refuse another change. Pointers are not
/// compared, as they move when an item before them is removed.
pub(crate) fn added(warnings: &[Problem], old: &[Problem]) -> Vec<Problem> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    for warning in old {
        *known.entry(&warning.detail).or_default() += 1;
    }
    let mut is_new = |warning: &&Problem| match known.get_mut(warning.detail.as_str()) {
        Some(left @ 1..) => {
            *left -= 1;
            false
        }
        _ => true,
    };
    let added = warnings.iter().filter(|warning| is_new(warning));
    added.cloned().collect()
}
