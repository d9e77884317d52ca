//! Every dump of DATAGERRY is read or refused, and what is read can be stored.

use std::cell::RefCell;

use stockroom_datagerry::{
    Archive, Converted, Document, Dump, Error, Inventory, Limits, Objects, Report, Stream,
};
use stockroom_model::RecordLimits;
use stockroom_model::body::Report as BodyReport;
use stockroom_model::object::ObjectDraft;

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "\u{2}name\0",
    "\u{10}public_id\0\u{1}\0\0\0",
    "\u{10}type_id\0\u{1}\0\0\0",
    "\u{4}fields\0",
    "\u{3}render_meta\0",
    "\u{4}sections\0",
    "\u{3}acl\0",
    "\u{2}value\0",
    "\u{8}active\0\u{1}",
    "\u{9}creation_time\0",
    "\u{5}\0\0\0\0",
    "\u{13}",
    "\u{7}_id\0",
    "\u{8}EOF\0\u{1}",
    "\0",
    "\0\0\0\0",
];

/// One file that is every collection.
struct Everything<'i>(&'i [u8]);

impl Dump for Everything<'_> {
    fn collections(&self) -> Vec<String> {
        ["framework.types", "framework.logs", "media.libary.files"]
            .map(str::to_owned)
            .to_vec()
    }

    fn each(
        &self,
        _collection: &str,
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error> {
        Stream::new("dump", self.0).each(visit)
    }
}

#[test]
fn dumps_are_read_or_refused() {
    let limits = RecordLimits::default();
    fuzz("dumps", WORDS, |input| {
        let archived = Archive::open("archive", input)
            .and_then(|archive| archive.each(("cmdb", "framework.types"), &mut |_| Ok(())));
        let dump = Everything(input);
        let (inventory, report) = match Inventory::survey(&dump, &Limits::default()) {
            Ok(read) => read,
            Err(Error::Damaged { offset, detail, .. }) => {
                assert!(offset <= input.len() as u64);
                return kind(&(archived.is_ok(), detail));
            }
            Err(other) => return kind(&other),
        };
        let objects = RefCell::new(Objects::of(&inventory));
        let read = dump.each("framework.objects", &mut |document| {
            let converted = objects
                .borrow_mut()
                .convert(document, &mut Report::default())?;
            if let Some(Converted { body, .. }) = converted {
                let problems = BodyReport::default();
                let draft = ObjectDraft::read(&body, None, &limits, &problems);
                assert!(problems.finish(draft).is_ok(), "{body}");
            }
            Ok(())
        });
        assert!(read.is_ok());
        kind(&(archived.is_ok(), report.to_text()))
    });
}
