//! The examples of the guide.

use stockroom_testkit::{Engine, apply, both, golden};

use crate::chapter::chapters;
use crate::runner::Runner;
use crate::{exchange, pages};

/// The chapter whose requests create the inventory for all other chapters.
const FIRST: &str = "first-steps.md";

#[apply(both)]
async fn every_example_is_answered_as_the_guide_shows(engine: Engine) {
    let chapters = chapters();
    let first = chapters.iter().find(|chapter| chapter.name == FIRST);
    let first = first.expect("the chapter that makes the inventory");
    for chapter in &chapters {
        if !chapter.has_requests() {
            continue;
        }
        let mut runner = Runner::start(engine).await;
        if chapter.name != FIRST {
            let _ = runner.run(first).await;
        }
        let answered = runner.run(chapter).await;
        golden(&chapter.path(), &answered);
    }
}

/// Languages of text that is tested elsewhere, or that shows the output of a program. All others
/// run here.
const OTHERS: [&str; 2] = [
    // Run by `crates/cli/tests/cli/guide.rs`, which compares the output.
    "sh", "text",
];

#[test]
fn no_block_of_code_goes_untested() {
    for chapter in chapters() {
        let mut can_answer = false;
        for block in chapter.blocks() {
            let place = format!("{}:{}", chapter.name, block.line);
            match block.language.as_str() {
                "http" => can_answer = exchange::is_request(&block.text),
                "json" => {
                    assert!(can_answer, "{place}: json answers the request before it");
                    can_answer = false;
                }
                other => assert!(OTHERS.contains(&other), "{place}: {other:?} is not run"),
            }
        }
        let shown = pages::page(&chapter).matches("<pre").count();
        let fenced = chapter.blocks().count();
        assert_eq!(shown, fenced, "{}: code without a fence", chapter.name);
    }
}
