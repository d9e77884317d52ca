//! What features keep in the memory of a node. The service has a place for it without knowing them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The state of features, by its type.
#[derive(Default)]
pub(crate) struct FeatureStates(RwLock<HashMap<TypeId, State>>);

type State = Arc<dyn Any + Send + Sync>;

impl FeatureStates {
    /// The state of this type; the default one at first.
    pub(crate) fn get<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let id = TypeId::of::<T>();
        let found = self.known(id).unwrap_or_else(|| {
            let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(T::default()) as State;
            Arc::clone(all.entry(id).or_insert_with(new))
        });
        // The key is the type, so this is never another one.
        found.downcast().unwrap_or_default()
    }

    fn known(&self, id: TypeId) -> Option<State> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&id).map(Arc::clone)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn each_type_has_one_state() {
        let features = FeatureStates::default();
        features.get::<AtomicU32>().store(7, Ordering::Relaxed);
        assert_eq!(features.get::<AtomicU32>().load(Ordering::Relaxed), 7);
        assert_eq!(*features.get::<u8>(), 0);
    }
}
