//! A cursor comes from a list with the same order, or it is refused.

use std::num::NonZeroUsize;

use stockroom_filter::{Limits, Order, Parsed};
use stockroom_service::cursor::Cursor;
use stockroom_service::list::{ListRequest, Paging, Total};

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "AAAA",
    "AQAA",
    "____",
    "----",
    "=",
    "AAAACXB1YmxpY19pZA",
    "AAAACAAAAAAAAAAB",
];

fn list(filter: &Parsed, sort: &str, order: Order) -> ListRequest {
    ListRequest {
        filter: filter.clone(),
        sort: sort.to_owned(),
        is_sorted: true,
        order,
        paging: Paging::FirstByCursor,
        limit: NonZeroUsize::new(10),
        active_only: false,
        projection: None,
        total: Total::Counted,
    }
}

#[test]
fn only_cursors_of_the_same_order_are_read() {
    let filter = Parsed::parse("{}", &Limits::default()).expect("a filter");
    let lists = [
        list(&filter, "public_id", Order::Ascending),
        list(&filter, "public_id", Order::Descending),
        list(&filter, "", Order::Ascending),
        list(&filter, "fields.hostname", Order::Ascending),
    ];
    fuzz("cursors", WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let read: Vec<_> = lists.iter().map(|list| Cursor::read(&text, list)).collect();
        let taken = read.iter().filter(|cursor| cursor.is_ok()).count();
        assert!(taken <= 1, "{text} belongs to {taken} lists");
        for (list, cursor) in lists.iter().zip(&read) {
            if let Ok(cursor) = cursor {
                assert_eq!(cursor.write(list), text);
            }
        }
        kind(&read)
    });
}
