//! `POST /auth/login`, and throttling of password guesses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use stockroom_http::HttpConfig;
use stockroom_model::Timestamp;
use stockroom_service::{Config, ThrottleLimits};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{
    ADMIN_PASSWORD, Answer, Client, Engine, START, Setup, TestServer, apply, both,
};

const PATH: &str = "/rest/auth/login";

async fn log_in(client: &Client, name: &str, password: &str) -> Answer {
    client
        .post(PATH, json!({"user_name": name, "password": password}))
        .await
}

fn from(server: &TestServer, last: u8) -> Client {
    let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, last));
    server.anonymous().from_address(address)
}

#[apply(both)]
async fn a_login_answers_the_user_and_a_token_for_twelve_hours(server: TestServer) {
    for path in [PATH, "/rest/auth/login/"] {
        let body = json!({"user_name": "admin", "password": ADMIN_PASSWORD, "invented": 1});
        let answer = server.anonymous().post(path, body).await.expect(200);
        assert_eq!(
            answer.keys(),
            ["user", "token", "token_issued_at", "token_expire"]
        );
        let issued = START.seconds();
        assert_eq!(
            (
                answer.member("token_issued_at"),
                answer.member("token_expire")
            ),
            (json!(issued), json!(issued + 43_200))
        );
        assert_eq!(answer.header("cache-control"), "no-store");
        let user = server
            .admin()
            .get("/rest/users/1")
            .await
            .expect(200)
            .member("result");
        assert_eq!(answer.member("user"), user);
        let client = server.with_token(answer.member("token").as_str().unwrap());
        let _ = client.get("/rest/users/1").await.expect(200);
    }
}

#[apply(both)]
async fn the_case_of_the_name_does_not_matter_but_that_of_the_password_does(server: TestServer) {
    insert(
        &server.admin(),
        "/rest/users",
        json!({"user_name": "Jürgen", "password": "Geheim"}),
    )
    .await;
    for (name, password, status) in [
        ("Jürgen", "Geheim", 200),
        ("JÜRGEN", "Geheim", 200),
        ("jürgen", "Geheim", 200),
        ("jürgen", "geheim", 401),
        ("jürgen", "Geheim ", 401),
        (" jürgen", "Geheim", 200),
    ] {
        let _ = log_in(&server.anonymous(), name, password)
            .await
            .expect(status);
    }
}

#[apply(both)]
async fn every_failure_looks_the_same(server: TestServer) {
    let admin = server.admin();
    insert(
        &admin,
        "/rest/users",
        json!({"user_name": "idle", "password": "right", "active": false}),
    )
    .await;
    let encoded = admin
        .get("/rest/users/2")
        .await
        .expect(200)
        .member("result")["password"]
        .clone();
    let long = "x".repeat(2_000);
    let causes = [
        ("admin", "wrong"),
        ("nobody", "wrong"),
        ("idle", "right"),
        ("idle", "wrong"),
        ("admin", ""),
        ("", ""),
        ("idle", encoded.as_str().unwrap()),
        ("admin", long.as_str()),
        (long.as_str(), "x"),
    ];
    let mut told: Vec<Value> = Vec::new();
    for (name, password) in causes {
        let answer = log_in(&server.anonymous(), name, password)
            .await
            .expect(401);
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        let mut problem = answer.problem();
        problem["request_id"] = Value::Null;
        told.push(problem);
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
}

#[apply(both)]
async fn a_malformed_login_is_no_failed_one(server: TestServer) {
    for (body, pointers) in [
        (json!({}), vec!["/user_name", "/password"]),
        (json!({"user_name": "admin"}), vec!["/password"]),
        (
            json!({"user_name": 1, "password": null}),
            vec!["/user_name", "/password"],
        ),
        (json!([]), vec![""]),
        (json!("admin"), vec![""]),
    ] {
        for _ in 0..3 {
            assert_eq!(
                server.anonymous().post(PATH, body.clone()).await.pointers(),
                pointers,
                "{body}"
            );
        }
    }
    let _ = log_in(&server.anonymous(), "admin", ADMIN_PASSWORD)
        .await
        .expect(200);
    assert_eq!(
        server
            .anonymous()
            .get(PATH)
            .await
            .expect(405)
            .header("allow"),
        "POST"
    );
}

#[apply(both)]
async fn a_token_is_not_looked_at_when_logging_in(server: TestServer) {
    for client in [
        server.expired(),
        server.with_token("nonsense"),
        server.admin(),
    ] {
        let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(200);
    }
}

#[apply(both)]
async fn ten_failures_lock_an_account_for_an_address_until_a_quarter_of_an_hour_has_passed(
    server: TestServer,
) {
    let client = from(&server, 1);
    for name in ["admin", "nobody"] {
        for attempt in 0..10 {
            server.advance(Duration::from_secs(6));
            let spelled = if attempt % 2 == 0 {
                name.to_owned()
            } else {
                name.to_uppercase()
            };
            let _ = log_in(&client, &spelled, "wrong").await.expect(401);
        }
        for password in [ADMIN_PASSWORD, "wrong"] {
            let refused = log_in(&client, name, password).await.expect(429);
            assert_eq!(
                refused.header("retry-after"),
                (900 - 54).to_string(),
                "from the oldest failure on"
            );
            let _ = refused.problem();
        }
    }
    server.advance(Duration::from_secs(900 - 54 - 60 - 1));
    let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(429);
    server.advance(Duration::from_secs(1));
    let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(200);
}

#[apply(both)]
async fn logins_at_once_are_no_failed_ones(server: TestServer) {
    let client = from(&server, 1);
    let right = join_all((0..30).map(|_| log_in(&client, "admin", ADMIN_PASSWORD))).await;
    for answer in right {
        if answer.status != 200 {
            let answer = answer.expect(429);
            assert_eq!(answer.header("retry-after"), "1");
            let detail = answer.problem()["detail"].to_string();
            assert!(detail.contains("at once"), "{detail}");
        }
    }
    let wrong = join_all((0..30).map(|_| log_in(&client, "admin", "wrong"))).await;
    let compared = wrong.iter().filter(|answer| answer.status == 401).count();
    assert_eq!(compared, 10, "no more guesses than one by one");
    let refused = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(429);
    assert_eq!(refused.header("retry-after"), "900");
}

#[apply(both)]
async fn other_addresses_and_other_accounts_stay_free(server: TestServer) {
    let client = from(&server, 1);
    insert(
        &server.admin(),
        "/rest/users",
        json!({"user_name": "bob", "password": "p"}),
    )
    .await;
    for _ in 0..10 {
        let _ = log_in(&client, "admin", "wrong").await.expect(401);
    }
    let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(429);
    let _ = log_in(&from(&server, 2), "admin", ADMIN_PASSWORD)
        .await
        .expect(200);
    let _ = log_in(&client, "bob", "p").await.expect(200);
    let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(429);
    let _ = server.admin().get("/rest/users").await.expect(200);
}

#[apply(both)]
async fn a_success_clears_the_failures_of_the_account(server: TestServer) {
    let client = from(&server, 1);
    for _ in 0..3 {
        for _ in 0..9 {
            let _ = log_in(&client, "admin", "wrong").await.expect(401);
        }
        let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(200);
    }
}

#[apply(both)]
async fn a_hundred_failures_lock_an_address_for_every_account(server: TestServer) {
    let client = from(&server, 1);
    for number in 0..100 {
        let _ = log_in(&client, &format!("guess-{number}"), "wrong")
            .await
            .expect(401);
    }
    let refused = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(429);
    assert_eq!(refused.header("retry-after"), "900");
    let _ = log_in(&from(&server, 2), "admin", ADMIN_PASSWORD)
        .await
        .expect(200);
    server.advance(Duration::from_secs(900));
    let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(200);
}

#[apply(both)]
async fn guesses_from_everywhere_lock_an_account_but_not_where_it_logged_in_lately(
    server: TestServer,
) {
    insert(
        &server.admin(),
        "/rest/users",
        json!({"user_name": "bob", "password": "p"}),
    )
    .await;
    let (home, office, away) = (from(&server, 201), from(&server, 202), from(&server, 203));
    let _ = log_in(&home, "admin", ADMIN_PASSWORD).await.expect(200);
    for address in 1..=100 {
        let _ = log_in(&from(&server, address), "admin", "wrong")
            .await
            .expect(401);
    }
    let refused = log_in(&away, "admin", ADMIN_PASSWORD).await.expect(429);
    assert_eq!(refused.header("retry-after"), "900");
    for _ in 0..2 {
        let _ = log_in(&home, "admin", "mistyped").await.expect(401);
        let _ = log_in(&home, "admin", ADMIN_PASSWORD).await.expect(200);
    }
    let _ = log_in(&away, "admin", ADMIN_PASSWORD).await.expect(429);
    let _ = log_in(&away, "bob", "p").await.expect(200);
    let _ = server.admin().get("/rest/users").await.expect(200);
    server.advance(Duration::from_secs(900));
    let _ = log_in(&office, "admin", ADMIN_PASSWORD).await.expect(200);
    // After a month, the known addresses are forgotten.
    server.advance(Duration::from_secs(31 * 86_400));
    for address in 1..=100 {
        let _ = log_in(&from(&server, address), "admin", "wrong")
            .await
            .expect(401);
    }
    let _ = log_in(&home, "admin", ADMIN_PASSWORD).await.expect(429);
}

#[apply(both)]
async fn a_clock_that_was_set_back_locks_nobody_out(server: TestServer) {
    let (right, stranger) = (server.now(), server.anonymous());
    let year = 365 * 24 * 3_600 * 1_000_000;
    server.set_clock(Timestamp(right.0 + year));
    let refused = |status| status == 429;
    let mut guesses = 0;
    while !refused(log_in(&stranger, "admin", "wrong").await.status) {
        guesses += 1;
        assert!(guesses < 1_000, "guesses are throttled");
    }
    server.set_clock(right);
    let answer = log_in(&stranger, "admin", ADMIN_PASSWORD).await.expect(200);
    // A token outlives a clock that was set back, and ends at its time.
    server.set_clock(Timestamp(right.0 - year));
    let client = server.with_token(answer.member("token").as_str().unwrap());
    let _ = client.get("/rest/users/1").await.expect(200);
    let _ = log_in(&stranger, "admin", ADMIN_PASSWORD).await.expect(200);
    server.set_clock(Timestamp(right.0 + year));
    let _ = client.get("/rest/users/1").await.expect(401);
    let _ = log_in(&stranger, "admin", ADMIN_PASSWORD).await.expect(200);
}

#[apply(both)]
async fn names_that_belong_to_nobody_are_throttled_alike(server: TestServer) {
    for address in 1..=100 {
        let _ = log_in(&from(&server, address), "nobody", "wrong")
            .await
            .expect(401);
    }
    let refused = log_in(&from(&server, 101), "nobody", "wrong")
        .await
        .expect(429);
    assert_eq!(refused.header("retry-after"), "900");
}

#[apply(both)]
async fn the_limits_may_be_configured(engine: Engine) {
    let setup = Setup::default();
    let throttle = ThrottleLimits {
        account_and_network: 2,
        window_seconds: 60,
        ..ThrottleLimits::default()
    };
    let config = Config {
        throttle,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let client = from(&server, 1);
    for _ in 0..2 {
        let _ = log_in(&client, "admin", "wrong").await.expect(401);
    }
    let refused = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(429);
    assert_eq!(refused.header("retry-after"), "60");
    server.advance(Duration::from_secs(60));
    let _ = log_in(&client, "admin", ADMIN_PASSWORD).await.expect(200);
}

#[apply(both)]
async fn an_ipv6_site_counts_as_one_with_higher_limits(server: TestServer) {
    let client = |subnet: u16, site: u16| {
        let address = Ipv6Addr::new(0x2001, 0xdb8, site, subnet, 0, 0, 0, 1);
        server.anonymous().from_address(address.into())
    };
    for subnet in 0..50 {
        let _ = log_in(&client(subnet, 1), "admin", "wrong")
            .await
            .expect(401);
    }
    let _ = log_in(&client(999, 1), "admin", ADMIN_PASSWORD)
        .await
        .expect(429);
    let _ = log_in(&client(999, 2), "admin", ADMIN_PASSWORD)
        .await
        .expect(200);
}

#[apply(both)]
async fn clients_behind_a_trusted_proxy_are_told_apart_whatever_their_ports(engine: Engine) {
    let proxy: IpAddr = [10, 0, 0, 7].into();
    let http = HttpConfig {
        trusted_proxies: vec![proxy.into()],
        ..HttpConfig::default()
    };
    let server = Setup {
        http,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let through = |forwarded: &str| {
        server
            .anonymous()
            .from_address(proxy)
            .with_header("x-forwarded-for", forwarded)
    };
    for port in 1..=10 {
        let client = through(&format!("203.0.113.{port}, 192.0.2.1:{port}"));
        let _ = log_in(&client, "admin", "wrong").await.expect(401);
    }
    for same in ["192.0.2.1", "192.0.2.1:99", "[::ffff:192.0.2.1]:99"] {
        let _ = log_in(&through(same), "admin", ADMIN_PASSWORD)
            .await
            .expect(429);
    }
    for other in ["192.0.2.2:1", "[2001:db8::1]:443", "2001:db8::1"] {
        let _ = log_in(&through(other), "admin", ADMIN_PASSWORD)
            .await
            .expect(200);
    }
    for number in 0..10 {
        let forged = through(&format!("198.51.100.{number}, unknown"));
        let _ = log_in(&forged, "admin", "wrong").await.expect(401);
    }
    let _ = log_in(&through("198.51.100.99, unknown"), "admin", ADMIN_PASSWORD)
        .await
        .expect(429);
}

#[apply(both)]
async fn attempts_leave_a_trail_that_never_says_what_was_typed(server: TestServer) {
    let traced = |last: u8, id: &str| from(&server, last).with_header("x-request-id", id);
    let _ = log_in(&traced(1, "trace-success"), "admin", ADMIN_PASSWORD)
        .await
        .expect(200);
    let _ = log_in(&traced(1, "trace-failure"), "admin", "typed-in-a-hurry")
        .await
        .expect(401);
    let _ = log_in(&traced(1, "trace-unknown"), "typed-in-the-wrong-field", "x")
        .await
        .expect(401);
    let change = json!({"password": "correct horse", "old_password": "typed-as-the-old-one"});
    let admin = server.admin().with_header("x-request-id", "trace-password");
    let _ = admin
        .patch("/rest/users/1/password", change)
        .await
        .expect(400);
    for number in 0..9 {
        let _ = log_in(&traced(1, &format!("trace-{number}")), "admin", "wrong")
            .await
            .expect(401);
    }
    for number in 0..3 {
        let _ = log_in(&traced(1, &format!("throttled-{number}")), "admin", "wrong")
            .await
            .expect(429);
    }
    for id in [
        "trace-success",
        "trace-failure",
        "trace-unknown",
        "trace-password",
        "trace-8",
        "throttled-0",
    ] {
        assert!(server.is_stored(id), "{id}");
    }
    for never in [
        "throttled-1",
        "throttled-2",
        "typed-in-a-hurry",
        "typed-in-the-wrong-field",
        "typed-as-the-old-one",
    ] {
        assert!(!server.is_stored(never), "{never}");
    }
}

#[apply(both)]
async fn a_forwarded_address_counts_only_from_a_trusted_proxy(server: TestServer) {
    let client = from(&server, 1);
    for number in 0..10 {
        let forged = client
            .clone()
            .with_header("x-forwarded-for", &format!("198.51.100.{number}"));
        let _ = log_in(&forged, "admin", "wrong").await.expect(401);
    }
    let forged = client.with_header("x-forwarded-for", "198.51.100.99");
    let _ = log_in(&forged, "admin", ADMIN_PASSWORD).await.expect(429);
}
