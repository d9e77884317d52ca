//! The operations of the OpenAPI document.

use axum::http::Method;

/// One operation.
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: Method,
    pub(crate) template: String,
    /// Whether it writes records.
    pub(crate) writes: bool,
}

/// All operations.
pub(crate) fn all() -> Vec<Operation> {
    let document = stockroom_http::document();
    let mut operations = Vec::new();
    for (template, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push(Operation {
                id: operation["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase().parse().unwrap(),
                template: template.clone(),
                writes: operation.get("x-write").is_some(),
            });
        }
    }
    operations
}

impl Operation {
    /// The operation's name in the rows: HEAD shares the rows of its GET.
    pub(crate) fn row_name(&self) -> &str {
        let is_head = self.method == Method::HEAD;
        let get = self.id.strip_prefix("head_").filter(|_| is_head);
        get.unwrap_or(&self.id)
    }

    /// Whether the operation cannot change anything.
    pub(crate) fn is_safe(&self) -> bool {
        self.method.is_safe() || self.id.starts_with("query_")
    }

    /// Whether a concrete path belongs to this operation.
    pub(crate) fn fits(&self, path: &str) -> bool {
        let path = path.split('?').next().unwrap();
        let segments = path.split('/').count();
        let pairs = self.template.split('/').zip(path.split('/'));
        segments == self.template.split('/').count()
            && pairs.into_iter().all(|(template, segment)| {
                template == segment || (template.starts_with('{') && !segment.is_empty())
            })
    }
}
