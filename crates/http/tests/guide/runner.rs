//! Sends the requests of a chapter in order.

use stockroom_testkit::{Answer, Engine, Setup, TestServer};

use crate::chapter::{Block, Chapter, Part};
use crate::exchange::{self, Memory, Request};

/// A server, and values from its answers for later requests.
pub(crate) struct Runner {
    server: TestServer,
    memory: Memory,
}

impl Runner {
    pub(crate) async fn start(engine: Engine) -> Self {
        Self {
            server: Setup::default().start(engine).await,
            memory: Memory::default(),
        }
    }

    /// Sends all requests of a chapter and returns its text with the real answers.
    pub(crate) async fn run(&mut self, chapter: &Chapter) -> String {
        let mut text = String::new();
        let mut last: Option<Answer> = None;
        for part in &chapter.parts {
            match part {
                Part::Code(block) if is_request(block) => {
                    expect_success(last.take());
                    // Shown when the test fails.
                    println!("{}:{}", chapter.name, block.line);
                    last = Some(self.send(block).await);
                    text += &part.text();
                }
                Part::Code(block) if is_answer(block) => {
                    let place = format!("{}:{}", chapter.name, block.line);
                    let answer = last.take();
                    let answer = answer.unwrap_or_else(|| panic!("{place}: answers nothing"));
                    text += &block.with(&exchange::answer(&block.language, &block.text, &answer));
                }
                _ => text += &part.text(),
            }
        }
        expect_success(last);
        text
    }

    async fn send(&mut self, block: &Block) -> Answer {
        let request = Request::parse(&block.text, &self.memory);
        let headers: Vec<(&str, &str)> = request
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let mut client = self.server.admin();
        if request.target.starts_with("/docs/") {
            client = client.unchecked();
        }
        let body = request.body.into_bytes();
        let answer = client
            .send(request.method, &request.target, &headers, body)
            .await;
        self.memory.note(&answer);
        answer
    }
}

/// A request whose answer is not shown must succeed.
fn expect_success(answer: Option<Answer>) {
    if let Some(answer) = answer {
        assert!((200..300).contains(&answer.status), "{answer}");
    }
}

fn is_request(block: &Block) -> bool {
    block.language == "http" && exchange::is_request(&block.text)
}

fn is_answer(block: &Block) -> bool {
    block.language == "json" || block.language == "http" && !exchange::is_request(&block.text)
}
