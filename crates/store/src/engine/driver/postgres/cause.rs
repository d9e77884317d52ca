//! The message why a connection failed.

use std::error::Error;
use std::io;

use crate::error::with_causes;

/// The message why a connection failed, and what to do if it is the certificate.
pub(super) fn explained(error: &(dyn Error + 'static)) -> String {
    let text = with_causes(error);
    if !causes(error).any(is_about_certificate) {
        return text;
    }
    format!(
        "{text}; name the file of the authority that signed it, or of the certificate itself, with --database-ca, and the server as the certificate does, or add sslmode=disable to the URL if nobody else can read the network"
    )
}

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}

fn is_about_certificate(error: &(dyn Error + 'static)) -> bool {
    // It is no source of the error that it is wrapped in.
    let wrapped = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    let failure = wrapped.and_then(|wrapped| wrapped.downcast_ref::<rustls::Error>());
    matches!(failure, Some(rustls::Error::InvalidCertificate(_)))
}
