//! Bulk loading through the same use cases as any client, in the name of the user `admin`.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::future::try_join_all;
use futures_util::stream;
use stockroom_access::permission::{ObjectAdd, ObjectEdit, ObjectImport};
use stockroom_model::json::Value;
use stockroom_model::{ObjectId, RecordLimits, TypeId, UserId};
use stockroom_store::{Catalog, IndexBatch};

use crate::core::change::{Change, Precondition};
use crate::core::identity::Identity;
use crate::core::own_context::own_context;
use crate::features::import;
use crate::features::import::Imports;
use crate::features::import::Upload;
use crate::records::object::insert::{Indexing, Insertion};
use crate::{
    Caller, Error, Permit, RequestContext, Service, category, group, object, token, r#type, user,
    view,
};

/// Objects per commit.
const CHUNK: usize = 2_000;

/// Bodies of records, each list in the order of insertion.
pub struct Records {
    /// Bodies of groups.
    pub groups: Vec<Value>,
    /// Bodies of users.
    pub users: Vec<Value>,
    /// Bodies of types.
    pub types: Vec<Value>,
    /// Bodies of categories.
    pub categories: Vec<Value>,
    /// Bodies of views, which belong to the user `admin`.
    pub views: Vec<Value>,
    /// Bodies of API tokens, whose secrets nobody learns.
    pub tokens: Vec<Value>,
    /// Bodies of objects; references may name earlier objects.
    pub objects: Objects,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            users: Vec::new(),
            types: Vec::new(),
            categories: Vec::new(),
            views: Vec::new(),
            tokens: Vec::new(),
            objects: Box::new(std::iter::empty()),
        }
    }
}

/// A file to upload, and to run as its body says.
pub struct ImportFile {
    /// The name of the file.
    pub name: String,
    /// The bytes of the file.
    pub content: Vec<u8>,
    /// The body of the run.
    pub run: Value,
}

/// Bodies of objects, made lazily.
pub type Objects = Box<dyn Iterator<Item = Value> + Send>;

impl Service {
    /// Inserts the records into a store without types and returns their number. A store in use is
    /// left alone, and the records are not even made.
    ///
    /// # Errors
    ///
    /// A record is refused; those before it stay.
    pub async fn load(
        self: &Arc<Self>,
        make_records: impl FnOnce() -> Records,
    ) -> Result<usize, Error> {
        if self.store.catalog().types().next().is_some() {
            return Ok(0);
        }
        let records = make_records();
        let admin = self.administrator()?;
        let (groups, users, types) = (
            admin.clone().permit().await?,
            admin.clone().permit().await?,
            admin.clone().permit().await?,
        );
        for body in &records.groups {
            group::insert(&groups, body).await?;
        }
        try_join_all(records.users.iter().map(|body| user::insert(&users, body))).await?;
        for body in &records.types {
            r#type::insert(&types, body).await?;
        }
        let (categories, views, tokens) = (
            admin.clone().permit().await?,
            admin.clone().permit().await?,
            admin.clone().permit().await?,
        );
        let objects = admin.permit().await?;
        for body in &records.categories {
            category::insert(&categories, body).await?;
        }
        let view_count = records.views.len();
        for body in records.views {
            view::insert(&views, body).await?;
        }
        let token_count = records.tokens.len();
        for body in records.tokens {
            token::insert(&tokens, body).await?;
        }
        let loaded = objects_in_chunks(&objects, records.objects).await?;
        Ok(records.groups.len()
            + records.users.len()
            + records.types.len()
            + records.categories.len()
            + view_count
            + token_count
            + loaded)
    }

    /// Changes an object in the name of a user, as a request of its own.
    ///
    /// # Errors
    ///
    /// The user may not do this, or the object would be refused.
    pub async fn load_edit(
        self: &Arc<Self>,
        user: UserId,
        id: ObjectId,
        patch: Value,
    ) -> Result<(), Error> {
        let request_id = self.new_request_id();
        let permit: Permit<ObjectEdit> = self.absent(user, request_id)?.permit().await?;
        let change = Change::Merge(patch);
        object::update::update(&permit, id, change, Precondition::None)
            .await
            .map(drop)
    }

    /// Uploads files for the user `admin`, and runs them.
    ///
    /// # Errors
    ///
    /// A file or its run is refused; those before it stay.
    pub async fn load_imports(self: &Arc<Self>, files: Vec<ImportFile>) -> Result<(), Error> {
        let permit = self.administrator()?.permit().await?;
        for file in files {
            import(&permit, file).await?;
        }
        self.finish(Imports::default()).await
    }

    /// Indexes the objects that have no index rows yet: a load writes documents first, and may have
    /// been interrupted. Objects that index rows cannot represent stay without.
    ///
    /// # Errors
    ///
    /// The store failed; rows written so far stay.
    pub async fn index_objects(&self) -> Result<(), Error> {
        let catalog = self.store.catalog();
        let mut types: VecDeque<TypeId> = catalog
            .types()
            .map(|entry| entry.record.public_id)
            .collect();
        let mut next = self.next_batch(&mut types, None).await?;
        while let Some((batch, last)) = next {
            let context = own_context("index", self.clock.now());
            // The next rows are made while these are written.
            let (written, following) = tokio::join!(
                self.store
                    .write(context, move |tx| tx.write_index_batch(&batch)),
                self.next_batch(&mut types, Some(last))
            );
            written?;
            next = following?;
        }
        Ok(())
    }

    /// Index rows for the first type with unindexed objects after `after`, and where to continue.
    async fn next_batch(
        &self,
        types: &mut VecDeque<TypeId>,
        mut after: Option<ObjectId>,
    ) -> Result<Option<(IndexBatch, ObjectId)>, Error> {
        while let Some(id) = types.front().copied() {
            let batch = self.store.read(move |tx| tx.index_batch(id, after)).await?;
            if let Some(last) = batch.last {
                return Ok(Some((batch, last)));
            }
            types.pop_front();
            after = None;
        }
        Ok(None)
    }

    /// The user `admin` without a token, as nobody logged in.
    fn administrator(self: &Arc<Self>) -> Result<Caller, Error> {
        let admin = UserId::new(1).ok_or_else(|| Error::not_found("user", 1))?;
        self.absent(admin, "load".into())
    }

    /// A user without a token.
    fn absent(self: &Arc<Self>, user: UserId, request_id: Arc<str>) -> Result<Caller, Error> {
        let request = RequestContext {
            request_id,
            ..RequestContext::default()
        };
        let identity = Identity::of_absent(&self.store.catalog(), user, request.via)?;
        Ok(Caller::new(self, &Arc::new(identity), request))
    }
}

async fn import(permit: &Permit<ObjectImport>, file: ImportFile) -> Result<(), Error> {
    let upload = Upload {
        name: file.name,
        ..Upload::default()
    };
    let content = stream::iter([Ok(file.content)]);
    let (id, _) = import::upload(permit, upload, content).await?;
    import::run_import(permit, id, file.run).await.map(drop)
}

/// Writes a chunk while the next one is made and checked.
async fn objects_in_chunks(permit: &Permit<ObjectAdd>, objects: Objects) -> Result<usize, Error> {
    let mut loaded = 0;
    let catalog = permit.catalog();
    let limits = permit.service().records();
    let (mut objects, mut chunk) = next_chunk(&catalog, limits, objects).await?;
    while !chunk.is_empty() {
        loaded += chunk.len();
        let written = object::insert::insert_all(permit, chunk);
        let next = next_chunk(&catalog, limits, objects);
        let (written, next) = tokio::join!(written, next);
        written?;
        (objects, chunk) = next?;
    }
    let service = permit.service();
    tokio::try_join!(service.index_objects(), service.index_searches(1))?;
    Ok(loaded)
}

#[expect(
    clippy::disallowed_methods,
    reason = "one hand-over for thousands of objects, which are made on a core of their own"
)]
async fn next_chunk(
    catalog: &Arc<Catalog>,
    limits: &RecordLimits,
    mut objects: Objects,
) -> Result<(Objects, Vec<Insertion>), Error> {
    let (catalog, limits) = (Arc::clone(catalog), limits.clone());
    tokio::task::spawn_blocking(move || {
        let chunk = objects
            .by_ref()
            .take(CHUNK)
            .map(|body| Insertion::new(&catalog, body, &limits, Indexing::Later))
            .collect::<Result<_, _>>()?;
        Ok((objects, chunk))
    })
    .await
    .map_err(Error::internal)?
}
