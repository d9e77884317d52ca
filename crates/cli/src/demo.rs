//! Fills an empty database with the demo inventory, through the same use cases as any client.

use std::sync::Arc;

use stockroom_service::Service;
use stockroom_service::load::{ImportFile, Records};

/// Fills the database if it holds no types yet.
pub(crate) async fn fill(service: &Arc<Service>) -> anyhow::Result<()> {
    let records = || {
        let inventory = stockroom_demo::inventory(service.clock().now());
        Records {
            groups: inventory.groups,
            users: inventory.users,
            types: inventory.types,
            categories: inventory.categories,
            views: inventory.views,
            tokens: inventory.tokens,
            objects: Box::new(inventory.objects.into_iter()),
            imports: inventory.imports.into_iter().map(file).collect(),
        }
    };
    let filled = service.load(records).await?;
    if filled > 0 {
        tracing::info!(records = filled, "the demo inventory was made");
    }
    Ok(())
}

fn file(file: stockroom_demo::ImportFile) -> ImportFile {
    ImportFile {
        name: file.name.to_owned(),
        content: file.content.as_bytes().to_vec(),
        run: file.run,
    }
}
