//! What is doubtful but legal: it is stored, and the answer says so. `Prefer: handling=strict`
//! refuses it.

use std::collections::HashMap;

use stockroom_model::Problem;

/// The warnings that are not among the old ones: what was doubtful before is no reason to refuse
/// another change. Pointers do not count, they move when an item before them goes.
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
