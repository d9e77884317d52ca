//! The rights of a group: those granted by name, and those that they cover.

use crate::permission::{self, ForTypes, Permission};
use crate::rights::{Right, RightId};

/// Rights granted literally, and all rights that they cover. A master covers everything below its
/// prefix; nothing else is implied (`edit` does not imply `view`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RightSet {
    literal: u64,
    expanded: u64,
}

impl RightSet {
    /// The set of rights with these names; duplicates are allowed.
    ///
    /// # Errors
    ///
    /// [`UnknownRights`] with every name that is not a right.
    pub fn from_names<N: AsRef<str>>(
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, UnknownRights> {
        let mut set = Self::default();
        let mut unknown = Vec::new();
        for name in names {
            match RightId::named(name.as_ref()) {
                Some(id) => set.insert(id),
                None => unknown.push(name.as_ref().to_owned()),
            }
        }
        if unknown.is_empty() {
            Ok(set)
        } else {
            Err(UnknownRights(unknown))
        }
    }

    /// The set of those names that are rights; unknown names are ignored. For stored groups, which
    /// a newer version with more rights may have written.
    #[must_use]
    pub fn from_known_names<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::from_ids(
            names
                .into_iter()
                .filter_map(|name| RightId::named(name.as_ref())),
        )
    }

    /// Whether the right of that name is held, either literally or through a master above it.
    #[must_use]
    pub fn covers(&self, right: &str) -> bool {
        RightId::named(right).is_some_and(|id| self.expanded & id.bit() != 0)
    }

    /// Whether the set includes the permission `P`.
    #[must_use]
    pub fn permits<P: Permission>(&self) -> bool {
        // Every request calls this, so the name is resolved at compile time.
        let needed = const { bit_of(P::RIGHT) };
        P::RIGHT.is_empty() || self.expanded & needed != 0
    }

    /// Whether a holder of this set may grant `other` ("nobody may grant a right that they lack").
    /// Holding every right below a master counts as holding the master.
    ///
    /// # Errors
    ///
    /// The names of the rights in `other` that this set lacks at least in part, in table order.
    pub fn grantable(&self, other: &Self) -> Result<(), Vec<&'static str>> {
        let missing: Vec<_> = other
            .ids()
            .filter(|&id| end_points(expansion(id)) & !self.expanded != 0)
            .map(RightId::name)
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(missing)
        }
    }

    /// The rights that both sets cover, each on its own.
    #[must_use]
    pub const fn intersection(&self, other: &Self) -> Self {
        let both = self.expanded & other.expanded;
        Self {
            literal: both,
            expanded: both,
        }
    }

    /// The rights to view among those that this set covers.
    #[must_use]
    pub fn only_views(&self) -> Self {
        let views = bits(RightId::every().filter(|id| is_view(id.name())));
        self.intersection(&Self {
            literal: views,
            expanded: views,
        })
    }

    /// The rights of this set that an API token for some types may use.
    #[must_use]
    pub fn only_for_types(&self) -> Self {
        let usable = permission::ALL.iter();
        let usable = usable.filter(|(_, for_types)| *for_types != ForTypes::Nothing);
        self.intersection(&Self::from_known_names(usable.map(|(name, _)| *name)))
    }

    /// The rights granted literally, in table order: the form in which groups are stored and
    /// answered.
    pub fn rights(&self) -> impl Iterator<Item = &'static Right> + use<> {
        self.ids().map(RightId::right)
    }

    fn from_ids(ids: impl Iterator<Item = RightId>) -> Self {
        let mut set = Self::default();
        ids.for_each(|id| set.insert(id));
        set
    }

    fn ids(&self) -> impl Iterator<Item = RightId> + use<> {
        let literal = self.literal;
        RightId::every().filter(move |id| literal & id.bit() != 0)
    }

    fn insert(&mut self, id: RightId) {
        self.literal |= id.bit();
        self.expanded |= expansion(id);
    }
}

/// Names that are not rights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown rights: {}", .0.join(", "))]
pub struct UnknownRights(pub Vec<String>);

/// The bit of the right of that name; 0 if the name is not a right.
const fn bit_of(name: &str) -> u64 {
    match RightId::named(name) {
        Some(id) => id.bit(),
        None => 0,
    }
}

/// The bits of everything that `id` covers, itself included.
fn expansion(id: RightId) -> u64 {
    let Some(prefix) = id.name().strip_suffix('*') else {
        return id.bit();
    };
    bits(RightId::every().filter(|below| below.name().starts_with(prefix)))
}

/// The rights in `set` that cover only themselves: all rights except masters with others below
/// them.
fn end_points(set: u64) -> u64 {
    bits(RightId::every().filter(|id| set & id.bit() != 0 && expansion(*id) == id.bit()))
}

fn bits(ids: impl Iterator<Item = RightId>) -> u64 {
    ids.fold(0, |bits, id| bits | id.bit())
}

fn is_view(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, action)| action == "view")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::permission::{Authenticated, ObjectEdit, ObjectView, TypeView};
    use crate::rights::all;

    fn set(names: &[&str]) -> RightSet {
        RightSet::from_names(names).unwrap()
    }

    /// The rule in its reference form: strip one segment after another and look for the master of
    /// the remaining prefix.
    fn covered(granted: &[&str], needed: &str) -> bool {
        if granted.contains(&needed) {
            return true;
        }
        let mut prefix = needed;
        while let Some((shorter, _)) = prefix.rsplit_once('.') {
            if granted.contains(&format!("{shorter}.*").as_str()) {
                return true;
            }
            prefix = shorter;
        }
        false
    }

    fn some_names() -> impl Strategy<Value = Vec<&'static str>> {
        let names: Vec<_> = all().iter().map(|right| right.name).collect();
        proptest::sample::subsequence(names, 0..6)
    }

    proptest! {
        #[test]
        fn covers_by_the_rule_of_ancestors(granted in some_names()) {
            let held = set(&granted);
            for Right { name, .. } in all() {
                prop_assert_eq!(held.covers(name), covered(&granted, name), "{}", name);
            }
        }

        #[test]
        fn an_intersection_covers_what_both_cover(one in some_names(), other in some_names()) {
            let (one, other) = (set(&one), set(&other));
            let both = one.intersection(&other);
            for Right { name, .. } in all() {
                let expected = one.covers(name) && other.covers(name);
                prop_assert_eq!(both.covers(name), expected, "{}", name);
                let views = both.only_views();
                prop_assert_eq!(views.covers(name), expected && is_view(name), "{}", name);
            }
        }

        #[test]
        fn what_is_covered_can_be_granted(held in some_names(), wanted in some_names()) {
            let (held, wanted) = (set(&held), set(&wanted));
            if all().iter().all(|right| !wanted.covers(right.name) || held.covers(right.name)) {
                prop_assert_eq!(held.grantable(&wanted), Ok(()));
            }
        }

        #[test]
        fn granting_gives_nobody_a_working_right_that_the_granter_lacks(held in some_names(), wanted in some_names()) {
            let (held, wanted) = (set(&held), set(&wanted));
            if held.grantable(&wanted).is_ok() {
                for Right { name, .. } in all().iter().filter(|right| !right.is_master) {
                    prop_assert!(!wanted.covers(name) || held.covers(name), "{}", name);
                }
            }
        }
    }

    #[test]
    fn reports_every_unknown_name() {
        let names = ["base.*", "base.nothing", "", "base.framework.object"];
        let unknown = RightSet::from_names(names).unwrap_err();
        assert_eq!(unknown.0, ["base.nothing", "", "base.framework.object"]);
        assert_eq!(RightSet::from_known_names(names), set(&["base.*"]));
        assert!(!set(&["base.*"]).covers("base.nothing"));
    }

    #[test]
    fn keeps_literal_grants_apart_and_in_table_order() {
        let names = [
            "base.framework.type.view",
            "base.framework.*",
            "base.framework.*",
        ];
        let answered: Vec<_> = set(&names).rights().map(|right| right.name).collect();
        assert_eq!(answered, ["base.framework.*", "base.framework.type.view"]);
    }

    #[test]
    fn names_the_grants_that_are_not_held() {
        let objects = "base.framework.object.*";
        let leaves = ["view", "add", "edit", "delete", "activation"]
            .map(|action| format!("base.framework.object.{action}"));
        let leaves: Vec<_> = leaves.iter().map(String::as_str).collect();
        let almost = leaves.get(1..).unwrap();
        let cases: &[(&[&str], &[&str], &[&str])] = &[
            (&["base.*"], &["base.*", "base.export.*"], &[]),
            (&[objects], &leaves, &[]),
            (&leaves, &[objects], &[]),
            (almost, &[objects], &[objects]),
            (&[objects], &["base.framework.*"], &["base.framework.*"]),
            (&[], &["base.export.object.*"], &["base.export.object.*"]),
            (
                &[objects],
                &["base.system.view", "base.*", "base.framework.object.view"],
                &["base.*", "base.system.view"],
            ),
            (&[], &[], &[]),
        ];
        for (held, wanted, missing) in cases {
            let answer = set(held).grantable(&set(wanted));
            assert_eq!(
                answer.err().unwrap_or_default(),
                *missing,
                "{held:?} grants {wanted:?}"
            );
        }
    }

    #[test]
    fn permits_what_is_covered_and_what_needs_no_right() {
        let rights = set(&["base.framework.object.*", "base.framework.type.view"]);
        assert!(rights.permits::<ObjectEdit>() && rights.permits::<TypeView>());
        assert!(RightSet::default().permits::<Authenticated>());
        assert!(!set(&["base.framework.object.edit"]).permits::<ObjectView>());
    }

    #[test]
    fn the_base_right_is_everything() {
        let administrator = set(&["base.*"]);
        assert!(all().iter().all(|right| administrator.covers(right.name)));
    }
}
