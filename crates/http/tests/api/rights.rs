//! Rights and security levels (spec, "Rights").

use serde_json::json;
use stockroom_testkit::{TestServer, both};

/// Where rights stand.
const PATH: &str = "/rest/rights";

both! {
    async fn a_token_is_all_that_rights_ask_for(server: TestServer) {
        let nobody = server.user_with(&[]).await.client;
        for path in [PATH, "/rest/rights/base.*", "/rest/rights/levels"] {
            let _ = nobody.get(path).await.expect(200);
            let _ = server.anonymous().get(path).await.expect(401);
        }
    }

    async fn the_list_is_sorted_by_name_and_filters(server: TestServer) {
        let admin = server.admin();
        let list = admin.get(PATH).await.expect(200);
        assert_eq!(list.member("count"), 10);
        assert_eq!(list.member("total"), 62);
        assert_eq!(list.member("results")[1]["name"], "base.docapi.*");
        assert_eq!(list.member("parameters")["sort"], "name");
        assert_eq!(list.member("parameters")["optional"], json!({"view": "list"}));
        let dangerous = [("filter", r#"{"level": 80}"#), ("order", "-1")];
        let list = admin.query(PATH, &dangerous).await.expect(200);
        assert_eq!(list.member("total"), 4);
        assert_eq!(list.member("results")[0]["name"], "base.user-management.group.edit");
        let _ = admin.query(PATH, &[("view", "forest")]).await.expect(400);
    }

    async fn the_tree_is_unpaged_and_goes_by_two_names(server: TestServer) {
        let admin = server.admin();
        for parameter in ["view", "optional"] {
            let tree = admin.query(PATH, &[(parameter, "tree")]).await.expect(200);
            assert_eq!(tree.member("count"), 8);
            assert_eq!(tree.header("x-total-count"), "8");
            assert_eq!(tree.member("model"), "Right");
            assert_eq!(tree.member("results")[0]["name"], "base.*");
            assert_eq!(tree.member("results")[3][2]["name"], "base.export.type.*");
        }
        let page = [("view", "tree"), ("limit", "3"), ("page", "3")];
        assert_eq!(admin.query(PATH, &page).await.expect(200).member("count"), 2);
    }

    async fn a_filter_prunes_the_tree(server: TestServer) {
        let asked = [
            ("view", "tree"),
            ("filter", r#"{"name": {"$in": ["base.docapi.template.add", "base.import.*"]}}"#),
            ("projection", r#"["name"]"#),
        ];
        let tree = server.admin().query(PATH, &asked).await.expect(200);
        let expected = json!([
            [{"name": "base.import.*"}],
            [[[{"name": "base.docapi.template.add"}]]],
        ]);
        assert_eq!(tree.member("results"), expected);
        assert_eq!(tree.member("total"), 2);
    }

    async fn a_right_is_read_by_its_name(server: TestServer) {
        let admin = server.admin();
        for path in ["/rest/rights/base.framework.*", "/rest/rights/base.framework.%2A/"] {
            let right = json!({
                "level": 10, "name": "base.framework.*", "label": "framework.*",
                "description": "Manage the core framework", "is_master": true,
            });
            assert_eq!(admin.get(path).await.expect(200).member("result"), right);
            let _ = admin.head(path).await.expect(200);
            let known = admin.clone().with_header("if-none-match", "\"1\"");
            let _ = known.get(path).await.expect(304);
        }
        let _ = admin.get("/rest/rights/base.nothing").await.expect(404);
    }

    async fn levels_are_a_map_from_the_most_dangerous_on(server: TestServer) {
        let levels = server.admin().get("/rest/rights/levels").await.expect(200);
        let expected = json!({
            "CRITICAL": 100, "DANGER": 80, "SECURE": 50, "PROTECTED": 30, "PERMISSION": 10, "NOTSET": 0,
        });
        assert_eq!(levels.member("result").to_string(), expected.to_string());
        assert_eq!(levels.member("model"), "Security-Level");
    }
}
