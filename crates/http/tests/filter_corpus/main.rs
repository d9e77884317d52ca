//! Runs the corpus of the query language through `GET /rest/objects/`: by way of SQL, each case
//! must find the same documents as the evaluator.
//!
//! `STOCKROOM_FILTER_CASES` names more files of the same format, separated as in `PATH`.

#[cfg(test)]
mod corpus;

#[cfg(test)]
mod tests {
    use stockroom_testkit::{Engine, Setup, apply, both};

    use crate::corpus::{Corpus, files};

    #[apply(both)]
    async fn filter_corpus_is_answered_as_expected(engine: Engine) {
        let mut failures = Vec::new();
        for file in files() {
            let corpus = Corpus::read(&file);
            let documents = corpus.documents.clone();
            let server = Setup {
                documents,
                ..Setup::default()
            }
            .start(engine)
            .await;
            // The documents are older than the OpenAPI document, and some lack required
            // members.
            let client = server.admin().unchecked();
            for failure in corpus.failures(&client).await {
                failures.push(format!("{}: {failure}", file.display()));
            }
        }
        assert!(
            failures.is_empty(),
            "{} cases failed:\n{}",
            failures.len(),
            failures.join("\n")
        );
    }
}
