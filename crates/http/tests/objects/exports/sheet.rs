//! Files for spreadsheets.

use std::io::{Cursor, Read as _};

use super::*;
use stockroom_testkit::apply;

/// A part of an archive.
fn part(file: &Answer, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(&file.body)).unwrap();
    let mut text = String::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

#[apply(both)]
async fn a_sheet_has_texts_numbers_and_dates(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    let bonn = insert(&admin, site, &[("city", json!("Bonn & Co"))]).await;
    let values = host(
        "=1+1",
        &[
            ("system", json!("=x")),
            ("cores", json!(8)),
            ("bought", json!("2024-03-01")),
            ("site", json!(bonn)),
            ("active", json!("<a>\u{1}\n")),
        ],
    );
    let first = insert(&admin, hosts, &values).await;
    let values = host(
        "",
        &[
            ("cores", json!(0.5)),
            ("bought", json!({"$date": 1_709_294_400_000_i64})),
        ],
    );
    let second = insert(&admin, hosts, &values).await;
    let file = export(
        &admin,
        "xlsx",
        &[("filter", &*of_type(hosts)), ("labels", "true")],
    )
    .await
    .expect(200);
    assert!(file.header("content-type").ends_with("spreadsheetml.sheet"));
    let sheet = part(&file, "xl/worksheets/sheet1.xml");
    let rows: Vec<&str> = sheet.split("<row ").skip(2).collect();
    let inline =
        |text: &str| format!(r#" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>"#);
    let expected = [
        format!(
            r#"r="2"><c r="A2"><v>{first}</v></c><c r="B2" t="b"><v>1</v></c><c r="C2"{}"#,
            inline("Bonn &amp; Co")
        ),
        format!(
            r#"<c r="D2"{}<c r="E2"><v>8</v></c><c r="F2"{}"#,
            inline("=1+1"),
            inline("=X")
        ),
        format!(
            r#"<c r="G2" s="2"><v>45352</v></c><c r="H2"{}</row>"#,
            inline("&lt;a&gt;_x0001_\n")
        ),
    ];
    assert_eq!(rows[0], expected.concat());
    let expected = format!(
        r#"r="3"><c r="A3"><v>{second}</v></c><c r="B3" t="b"><v>1</v></c><c r="E3"><v>0.5</v></c><c r="G3" s="3"><v>45352.5000000000</v></c></row></sheetData></worksheet>"#
    );
    assert_eq!(rows[1], expected);
    assert!(!sheet.contains("<f>"));
    assert!(part(&file, "xl/workbook.xml").contains(r#"<sheet name="Host""#));
    for name in [
        "[Content_Types].xml",
        "_rels/.rels",
        "xl/_rels/workbook.xml.rels",
        "xl/styles.xml",
    ] {
        assert!(part(&file, name).starts_with("<?xml"));
    }
    let plain = export(&admin, "xlsx", &[("filter", &*of_type(hosts))])
        .await
        .expect(200);
    let sheet = part(&plain, "xl/worksheets/sheet1.xml");
    assert!(sheet.contains(&format!(r#"<c r="C2"><v>{bonn}</v></c>"#)));
    assert!(sheet.contains(&inline("=x")));
}
