use std::io::Cursor;

use tokio::task::JoinHandle;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// A workbook of so many rows below the header.
fn workbook(rows: usize) -> Vec<u8> {
    let link = |kind: &str, target: &str| {
        let relation =
            format!(r#"<Relationship Id="a" Type="x/relationships/{kind}" Target="{target}"/>"#);
        format!("<Relationships>{relation}</Relationships>")
    };
    let rows = "<row><c><v>1</v></c></row>".repeat(rows + 1);
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let book = r#"<workbook xmlns:r="r"><sheets><sheet name="S" r:id="a"/></sheets></workbook>"#;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("_rels/.rels", link("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", book.to_owned()),
        (
            "xl/_rels/workbook.xml.rels",
            link("worksheet", "worksheets/sheet1.xml"),
        ),
        ("xl/worksheets/sheet1.xml", sheet),
    ] {
        archive
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

type Reading = JoinHandle<Result<Read, stockroom_tables::Error>>;

/// Begins to read a file. The chunks of its rows come out of the receiver.
#[expect(clippy::disallowed_methods, reason = "as uploads do")]
fn begin(file: Vec<u8>, workbooks: &FairSlots) -> (Reading, Receiver<String>) {
    let (parts, input) = channel(1);
    parts.try_send(Ok(file)).unwrap();
    let (output, chunks) = channel(1);
    let turn = Turn {
        workbooks: workbooks.clone(),
        requester: Requester::user(1),
    };
    let reading = move || read(Input::new(input), &Options::default(), output, &turn);
    (tokio::task::spawn_blocking(reading), chunks)
}

#[tokio::test]
async fn workbooks_are_read_one_after_the_other() {
    let workbooks = FairSlots::new(1, 10);
    let other = Requester::user(2);
    let (first, mut chunks) = begin(workbook(5_000), &workbooks);
    assert!(chunks.recv().await.is_some());
    // It waits until its chunks are taken.
    assert!(workbooks.try_acquire(other).is_err());
    let (text, mut rows) = begin(b"a\n1\n".to_vec(), &workbooks);
    assert!(rows.recv().await.is_some(), "a text has no turn");
    assert_eq!(text.await.unwrap().unwrap().rows, 1);
    let (second, mut rows) = begin(workbook(1), &workbooks);
    while chunks.recv().await.is_some() {}
    assert_eq!(first.await.unwrap().unwrap().rows, 5_000);
    while rows.recv().await.is_some() {}
    assert_eq!(second.await.unwrap().unwrap().rows, 1);
    assert!(workbooks.try_acquire(other).is_ok());
}

#[tokio::test]
async fn chunks_are_lists_of_rows_within_their_bounds() {
    let long = "x".repeat(600_000);
    let short = "1\n".repeat(CHUNK_ROWS + 1);
    let file = format!("a\n{long}\n{long}\n{short}{long}\n");
    let (reading, mut chunks) = begin(file.into_bytes(), &FairSlots::new(1, 10));
    let mut rows = Vec::new();
    while let Some(chunk) = chunks.recv().await {
        assert!(chunk.len() <= CHUNK_BYTES + 1, "{}", chunk.len());
        let chunk: Vec<Row> = serde_json::from_str(&chunk).unwrap();
        rows.push(chunk.len());
    }
    assert_eq!(rows, [1, CHUNK_ROWS, 3]);
    assert_eq!(reading.await.unwrap().unwrap().rows, 1_004);
}
