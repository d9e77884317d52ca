use stockroom_model::Problems;
use stockroom_model::body::{Body, Report};
use stockroom_model::json::Value;

/// The body of a login. Not `Debug`: it holds a password.
pub struct LoginRequest {
    /// Compared without regard to case.
    pub user_name: String,
    /// As typed.
    pub password: String,
    /// Whether the token shall be in a cookie instead of the answer.
    pub cookie: bool,
}

impl LoginRequest {
    /// Reads a body.
    ///
    /// # Errors
    ///
    /// All problems of the body. An unknown user name is not a problem of the body.
    pub fn read(body: &Value) -> Result<Self, Problems> {
        let report = Report::default();
        let request = Body::open(body, "", &report).and_then(|body| Self::members(&body));
        report.finish(request)
    }

    fn members(body: &Body<'_>) -> Option<Self> {
        let user_name = body.required_text_or_empty("user_name");
        let password = body.required_text_or_empty("password");
        let cookie = body.boolean("cookie", false);
        Some(Self {
            user_name: user_name?.to_owned(),
            password: password?.to_owned(),
            cookie: cookie?,
        })
    }
}
