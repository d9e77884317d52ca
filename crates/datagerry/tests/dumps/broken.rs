//! Dumps that are damaged, or made to do harm.

use proptest::prelude::*;
use stockroom_datagerry::{Archive, Error, Inventory, Limits, MAX_DEPTH, Stream};

use crate::folder::{Archived, Folder, fixture};

fn read(bytes: &[u8]) -> Result<usize, Error> {
    let mut count = 0;
    Stream::new("objects.bson", bytes).each(&mut |_| {
        count += 1;
        Ok(())
    })?;
    Ok(count)
}

fn read_archive(bytes: &[u8]) -> Result<usize, Error> {
    let mut count = 0;
    let archive = Archive::open("dump.archive", bytes)?;
    archive.each(("cmdb", "framework.objects"), &mut |_| {
        count += 1;
        Ok(())
    })?;
    Ok(count)
}

fn document(elements: &[u8]) -> Vec<u8> {
    let length = u32::try_from(elements.len() + 5).unwrap();
    [&length.to_le_bytes(), elements, &[0]].concat()
}

fn nested(levels: usize) -> Vec<u8> {
    (0..levels).fold(document(&[]), |inner, _| {
        document(&[b"\x03a\0".as_slice(), &inner].concat())
    })
}

#[test]
fn damage_is_named_with_its_place() {
    let whole = document(b"\x10a\0\x01\0\0\0");
    let mut wrong = Vec::new();
    for (bytes, offset, detail) in [
        (vec![1, 2], 0, "the file ends inside of a document"),
        (whole[..9].to_vec(), 0, "the file ends inside of a document"),
        (
            [&*whole, &[9, 0]].concat(),
            12,
            "the file ends inside of a document",
        ),
        (vec![4, 0, 0, 0], 0, "4 bytes are no length of a document"),
        (
            vec![255; 9],
            0,
            "4294967295 bytes are no length of a document",
        ),
        (
            document(b"\x10a\0\x01\0\0"),
            11,
            "a value is longer than the document",
        ),
        (document(b"\x99a\0"), 7, "0x99 is no kind of a value"),
        (document(b"\x02a\0\x02\0\0\0ab"), 13, "a text has no end"),
        (
            document(b"\x02a\0\xff\xff\xff\x7f"),
            11,
            "a value is longer than the document",
        ),
        (document(b"\x02a\0\xff\xff\xff\xff"), 11, "-1 is no length"),
        (
            document(b"\x02a\0\x02\0\0\0\xff\0"),
            13,
            "a text is not UTF-8",
        ),
        (document(b"\x08a\0\x07"), 8, "7 is no boolean"),
        (document(b"\x0aa"), 7, "is longer than the document"),
        (
            document(b"\x03a\0\x40\0\0\0\0"),
            11,
            "a document inside is longer than the one around it",
        ),
        (
            document(b"\x03a\0\x07\0\0\0\0\0\0"),
            12,
            "the length of a document is wrong",
        ),
        (document(b"\0\0"), 5, "the length of a document is wrong"),
        (nested(MAX_DEPTH + 1), 427, "more than 60 levels are nested"),
    ] {
        let error = read(&bytes).unwrap_err().to_string();
        let place = format!("objects.bson is damaged at byte {offset}: ");
        if !error.starts_with(&place) || !error.contains(detail) {
            wrong.push(format!("{error}, not byte {offset}: {detail}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(read(&nested(MAX_DEPTH)).unwrap(), 1);
    assert_eq!(read(&[]).unwrap(), 0);
}

#[test]
fn too_many_values_are_refused() {
    let error = read(&document(&b"\x0aa\0".repeat(200_001))).unwrap_err();
    assert!(
        error.to_string().contains("more than 200000 values"),
        "{error}"
    );
}

#[test]
fn an_archive_that_was_changed_is_refused() {
    let whole = fixture("small.archive");
    assert_eq!(read_archive(&whole).unwrap(), 4);
    let text = b"first\nsecond";
    let place = whole
        .windows(text.len())
        .position(|part| part == text)
        .unwrap();
    let mut changed = whole.clone();
    changed[place] = b'F';
    let error = read_archive(&changed).unwrap_err().to_string();
    assert!(
        error.contains("the checksum of the collection framework.objects is wrong"),
        "{error}"
    );
    let mut foreign = whole;
    foreign[0] = 0;
    let error = read_archive(&foreign).unwrap_err().to_string();
    assert!(error.contains("it is no archive of mongodump"), "{error}");
}

#[test]
fn an_archive_that_is_cut_off_is_refused_wherever_it_ends() {
    let whole = fixture("small.archive");
    for length in 0..whole.len() {
        let error = read_archive(&whole[..length]).expect_err("a cut archive");
        assert!(matches!(error, Error::Damaged { .. }), "{length}: {error}");
    }
}

#[test]
fn a_dump_beyond_the_limits_is_refused() {
    for limits in [
        Limits {
            records: 5,
            ..Limits::default()
        },
        Limits {
            bytes: 1_000,
            ..Limits::default()
        },
        Limits {
            locations: 1,
            ..Limits::default()
        },
    ] {
        let error = Inventory::survey(&Folder("small"), &limits).unwrap_err();
        assert!(matches!(error, Error::Unsuitable(_)), "{error}");
    }
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader(
        changes in prop::collection::vec((0..6_000_usize, any::<u8>()), 1..8),
    ) {
        let mut bytes = fixture("small/cmdb/framework.objects.bson");
        let mut archive = fixture("small.archive");
        for (place, byte) in changes {
            let (first, second) = (place % bytes.len(), place % archive.len());
            bytes[first] = byte;
            archive[second] = byte;
        }
        let _ = read(&bytes);
        if Archive::open("archive", archive.as_slice()).is_ok() {
            let _ = Inventory::survey(&Archived(archive), &Limits::default());
        }
    }
}
