//! Objects that an access list hides appear in no list and no count, with any filter.

use serde_json::{Value, json};
use stockroom_testkit::{TestServer, apply, both};

use crate::fixture::{OBJECTS, field, insert, list, make_type, path, query, restrict};

#[apply(both)]
async fn hidden_objects_are_in_no_page_and_no_total(server: TestServer) {
    let admin = server.admin();
    let (open, closed) = (
        make_type(&admin, "open", &[field("text", "n")]).await,
        make_type(&admin, "closed", &[field("text", "n")]).await,
    );
    let (mut seen, mut hidden) = (Vec::new(), Vec::new());
    for n in 0..6 {
        let values = [("n", json!(n.to_string()))];
        seen.push(insert(&admin, open, &values).await);
        hidden.push(insert(&admin, closed, &values).await);
    }
    let person = server.user_with(OBJECTS).await;
    restrict(
        &admin,
        closed,
        person.group_id,
        &["CREATE", "UPDATE", "DELETE"],
    )
    .await;
    let of_hidden = json!({"type_id": closed}).to_string();
    let by_id = json!({"public_id": {"$in": hidden}}).to_string();
    let not = json!({"type_id": {"$ne": open}}).to_string();
    let either = json!({"$or": [{"type_id": closed}, {"fields.value": "3"}]}).to_string();
    for (parameters, expected) in [
        (vec![], seen.clone()),
        (
            vec![("limit", "0"), ("sort", "fields.n"), ("order", "-1")],
            seen.iter().rev().copied().collect(),
        ),
        (vec![("limit", "4"), ("page", "2")], seen[4..].to_vec()),
        (vec![("filter", of_hidden.as_str())], vec![]),
        (vec![("filter", &by_id)], vec![]),
        (vec![("filter", &not)], vec![]),
        (vec![("filter", &either)], vec![seen[3]]),
        (vec![("active", "true"), ("sort", "type_id")], seen.clone()),
    ] {
        let answer = list(&person.client, &parameters).await.expect(200);
        assert_eq!(answer.ids(), expected, "{parameters:?}");
        let total = if parameters.contains(&("page", "2")) {
            seen.len()
        } else {
            expected.len()
        };
        assert_eq!(answer.member("total"), total, "{parameters:?}");
        let head = person
            .client
            .head(&query("/rest/objects/", &parameters))
            .await
            .expect(200);
        assert_eq!(
            head.header("x-total-count"),
            total.to_string(),
            "{parameters:?}"
        );
    }
    for id in hidden {
        for suffix in ["", "/native", "/state", "/references"] {
            let answer = person
                .client
                .get(&format!("{}{suffix}", path(id)))
                .await
                .expect(403);
            assert!(answer.detail().contains("READ"), "{answer}");
        }
    }
    assert_eq!(list(&admin, &[]).await.member("total"), 12);
}

#[apply(both)]
async fn an_access_list_hides_from_administrators_too(server: TestServer) {
    let admin = server.admin();
    let closed = make_type(&admin, "closed", &[]).await;
    let id = insert(&admin, closed, &[]).await;
    let acl: Value = json!({"acl": {"activated": true, "groups": {"includes": {}}}});
    let _ = crate::fixture::patch_type(&admin, closed, acl)
        .await
        .expect(202);
    assert_eq!(list(&admin, &[]).await.member("total"), 0);
    let _ = admin.get(&path(id)).await.expect(403);
}
