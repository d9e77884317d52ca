//! Precedence: flags, then environment, then file, then defaults.

use std::fs;

use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Server, run, serve, stockroom};

const SECRET_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF";
const OTHER_KEY: &str = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

const DEFAULTS: &str = r#"listen = "127.0.0.1:4000"
# public_url: unset
base_path = ""
trusted_proxy = []
hsts_seconds = 31536000
max_url_bytes = 32768
batch_operations = 1000
require_if_match = false
# metrics_listen: unset
# tls_cert: unset
# tls_key: unset
connections = 2048
connections_per_peer = 512
head_timeout = 10
body_timeout = 300
idle_timeout = 75
stall_timeout = 20
min_rate = 1024
shutdown_delay = "0s"
drain_timeout = 20
data = "./data"
database_log_bytes = 1073741824
# database: unset
# read_database: unset
# database_schema: unset
# database_ca: unset
database_connections = 8
database_connect_timeout = 2
database_statement_timeout = 60
database_patience = 5
database_checks = 50
# backup_directory: unset
backup_interval = "24h"
backup_keep = 7
# history_days: unset
token_lifetime = 43200
minimum_password = 1
session_lifetime = 604800
max_sessions = 100
failed_login_window = 900
failed_logins = 10
failed_logins_network = 100
failed_logins_site_account = 50
failed_logins_site = 500
failed_logins_account = 100
familiar_days = 30
login_event_days = 90
max_login_events = 100000
filter_nodes = 10000
filter_values = 10000
filter_pattern = 16384
filter_patterns = 16
filter_compiled = 262144
filter_backtracks = 100000
body_bytes = 16777216
small_body_bytes = 65536
import_bytes = 1073741824
stored_import_bytes = 8589934592
stored_import_bytes_per_user = 2147483648
body_values = 100000
bodies_in_flight = 268435456
answers_in_flight = 67108864
object_fields = 2000
type_fields = 1000
type_field_names = 5000
renamed_objects = 10000
read_timeout = 10
# write_timeout: unset
preview_timeout = 30
export_timeout = 600
exports = 8
type_parts = 1000
template_bytes = 8192
value_bytes = 1048576
document_bytes = 4194304
rendered_bytes = 8388608
shown_value_bytes = 65536
settings = 1000
setting_bytes = 4194304
views = 500
view_bytes = 2097152
tokens = 100
own_changes = 10000
own_change_bytes = 33554432
idempotency_keys = 20000
idempotency_bytes = 67108864
pattern_bytes = 262144
type_pattern_bytes = 4194304
demo = false
log = "info"
no_color = false
# admin_password: unset
# secret_key: unset
"#;

/// A setting with its values in the file, the environment and a flag, each in the syntax used
/// there.
struct Setting {
    name: &'static str,
    file: &'static str,
    variable: &'static str,
    flag: &'static str,
}

const SETTINGS: [Setting; 26] = [
    Setting {
        name: "require_if_match",
        file: "true",
        variable: "false",
        flag: "true",
    },
    Setting {
        name: "listen",
        file: r#""127.0.0.1:1""#,
        variable: "127.0.0.2:2",
        flag: "[::1]:3",
    },
    Setting {
        name: "data",
        file: r#""from/file""#,
        variable: "from/environment",
        flag: "from/flag",
    },
    Setting {
        name: "demo",
        file: "true",
        variable: "false",
        flag: "true",
    },
    Setting {
        name: "public_url",
        file: r#""https://file.example""#,
        variable: "https://environment.example",
        flag: "http://flag.example/base",
    },
    Setting {
        name: "base_path",
        file: r#""/file""#,
        variable: "/environment",
        flag: "/flag",
    },
    Setting {
        name: "trusted_proxy",
        file: r#"["10.0.0.1", "10.0.0.2"]"#,
        variable: "10.0.1.0/24, ::1",
        flag: "10.0.2.1",
    },
    Setting {
        name: "shutdown_delay",
        file: r#""10s""#,
        variable: "1m",
        flag: "0s",
    },
    Setting {
        name: "token_lifetime",
        file: "60",
        variable: "61",
        flag: "62",
    },
    Setting {
        name: "minimum_password",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "session_lifetime",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "max_sessions",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "failed_login_window",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "failed_logins",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "failed_logins_network",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "failed_logins_site_account",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "failed_logins_site",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "failed_logins_account",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "familiar_days",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "login_event_days",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "max_login_events",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "filter_nodes",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "filter_values",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "filter_pattern",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "filter_backtracks",
        file: "8",
        variable: "9",
        flag: "10",
    },
    Setting {
        name: "log",
        file: r#""warn""#,
        variable: "debug",
        flag: "stockroom_http=trace,info",
    },
];

impl Setting {
    /// The output of `stockroom config` for a value of a variable or flag.
    fn shown(&self, value: &str) -> String {
        let list: Vec<&str> = value.split(',').map(str::trim).collect();
        let is_bare = value.parse::<i64>().is_ok() || value.parse::<bool>().is_ok();
        match self.name {
            "trusted_proxy" => format!("{} = {list:?}\n", self.name),
            _ if is_bare => format!("{} = {value}\n", self.name),
            _ => format!("{} = {value:?}\n", self.name),
        }
    }
}

#[test]
fn without_anything_defaults_are_in_force() {
    assert_eq!(run(&mut stockroom(&["config"])).succeeded(), DEFAULTS);
}

#[test]
fn a_misspelt_variable_prevents_the_start_and_the_right_one_is_named() {
    for (variable, right) in [
        ("STOCKROOM_DATABSE", "STOCKROOM_DATABASE"),
        ("STOCKROOM_SECRET_KEYFILE", "STOCKROOM_SECRET_KEY_FILE"),
        ("STOCKROOM_TRUSTED_PROXIES", "STOCKROOM_TRUSTED_PROXY"),
    ] {
        let data = tempdir().unwrap();
        let message = run(serve(data.path()).env(variable, "a secret")).failed();
        let expected = format!("{variable} is no setting, the nearest one is {right}");
        assert!(message.contains(&expected), "{message}");
        assert!(!message.contains("a secret"), "{message}");
        assert!(!data.path().join("stockroom.db").exists());
    }
    // As Kubernetes sets it where a service is called `stockroom`.
    let mut command = stockroom(&["config"]);
    command.env("STOCKROOM_PORT", "tcp://10.0.0.1:4000");
    run(&mut command).succeeded();
}

#[test]
fn flags_come_before_the_environment_before_the_file_before_defaults() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("stockroom.toml");
    for setting in &SETTINGS {
        let name = setting.name;
        let of_file = format!("{name} = {}\n", setting.file);
        let of_environment = setting.shown(setting.variable);
        let of_flag = setting.shown(setting.flag);
        fs::write(&file, &of_file).unwrap();
        let variable = format!("STOCKROOM_{}", name.to_uppercase());
        let flag = format!("--{}={}", name.replace('_', "-"), setting.flag);

        let mut command = stockroom(&["config", "--config"]);
        for expected in [of_file, of_environment, of_flag] {
            command.arg(&file);
            let shown = run(&mut command).succeeded();
            assert!(shown.contains(&expected), "{expected} is not in\n{shown}");
            command = stockroom(&["config"]);
            command.env(&variable, setting.variable);
            if expected == setting.shown(setting.variable) {
                command.arg(&flag);
            }
            command.arg("--config");
        }
    }
}

#[test]
fn what_is_printed_is_a_configuration_itself() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("stockroom.toml");
    let mut command = stockroom(&["config"]);
    for setting in &SETTINGS {
        let variable = format!("STOCKROOM_{}", setting.name.to_uppercase());
        command.env(variable, setting.variable);
    }
    let printed = run(&mut command).succeeded();
    fs::write(&file, &printed).unwrap();
    let again = run(stockroom(&["config"]).env("STOCKROOM_CONFIG", &file)).succeeded();
    assert_eq!(again, printed);
}

#[test]
fn secrets_are_masked_wherever_they_come_from() {
    let folder = tempdir().unwrap();
    let [toml, password, key] =
        ["all.toml", "password", "key"].map(|name| folder.path().join(name));
    let text = format!("admin_password = \"hidden words\"\nsecret_key = \"{SECRET_KEY}\"\n");
    fs::write(&toml, text).unwrap();
    fs::write(&password, "hidden words\n").unwrap();
    fs::write(&key, format!("{SECRET_KEY}\r\n")).unwrap();
    let mut by_file = stockroom(&["config"]);
    by_file.env("STOCKROOM_CONFIG", &toml);
    let mut by_environment = stockroom(&["config"]);
    by_environment.env("STOCKROOM_ADMIN_PASSWORD", "hidden words");
    by_environment.env("STOCKROOM_SECRET_KEY", SECRET_KEY);
    let mut by_secret_files = stockroom(&["config"]);
    by_secret_files.env("STOCKROOM_ADMIN_PASSWORD_FILE", &password);
    by_secret_files.env("STOCKROOM_SECRET_KEY_FILE", &key);
    for mut command in [by_file, by_environment, by_secret_files] {
        let shown = run(&mut command).succeeded();
        let masked = "# admin_password: \"***\"\n# secret_key: \"***\"\n";
        assert!(shown.ends_with(masked), "{shown}");
    }
}

#[test]
fn secrets_come_from_the_environment_before_the_named_file_before_the_toml_file() {
    let folder = tempdir().unwrap();
    let toml = folder.path().join("stockroom.toml");
    let secret = folder.path().join("secret");
    fs::write(&toml, "admin_password = \"of toml\"\n").unwrap();
    fs::write(&secret, "of the file\n").unwrap();
    let secret = secret.to_str().unwrap();
    let variables = [
        ("STOCKROOM_ADMIN_PASSWORD_FILE", secret),
        ("STOCKROOM_ADMIN_PASSWORD", "of the environment"),
    ];
    let passwords = ["of toml", "of the file", "of the environment"];
    for (given, password) in passwords.into_iter().enumerate() {
        let mut command = stockroom(&["serve", "--listen", "127.0.0.1:0", "--data"]);
        command.arg(folder.path().join(password));
        command.env("STOCKROOM_CONFIG", &toml);
        command.envs(variables.into_iter().take(given));
        let server = Server::start(command);
        assert_eq!(
            Client::anonymous(&server).login("admin", password).0,
            200,
            "{password}"
        );
    }
}

#[test]
fn a_secret_key_is_what_all_tokens_hang_on() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let key = folder.path().join("key");
    fs::write(&key, format!("{SECRET_KEY}\n")).unwrap();
    let mut command = serve(&data);
    command.env("STOCKROOM_SECRET_KEY_FILE", &key);
    let server = Server::start(command);
    for (key, status) in [(SECRET_KEY, 200), (OTHER_KEY, 401)] {
        let mut command = stockroom(&["token", "session", "admin", "--data"]);
        let token = run(command.arg(&data).env("STOCKROOM_SECRET_KEY", key)).succeeded();
        let client = Client::anonymous(&server).with_token(token.trim());
        assert_eq!(client.get("/rest/users/1").0, status);
    }
}

#[test]
fn a_wrong_address_of_the_database_is_refused_without_its_password() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("address");
    let address = "host=db1 password=s3cret";
    fs::write(&file, address).unwrap();
    let by_file = ("STOCKROOM_DATABASE_FILE", file.to_str().unwrap());
    for (variable, value) in [
        ("STOCKROOM_DATABASE", address),
        ("STOCKROOM_READ_DATABASE", address),
        by_file,
    ] {
        for command in ["config", "serve", "check"] {
            let refused = run(stockroom(&[command]).env(variable, value));
            assert_eq!(refused.status.code(), Some(2), "{refused:?}");
            assert!(
                refused.err.contains("starts with postgres://"),
                "{refused:?}"
            );
            assert!(!refused.err.contains("s3cret"), "{refused:?}");
        }
    }
}

#[test]
fn a_directory_beside_a_server_is_refused() {
    let data = tempdir().unwrap();
    let (file, address) = (data.path().join("address"), "postgres://db1/inventory");
    fs::write(&file, address).unwrap();
    for (variable, value) in [
        ("STOCKROOM_DATABASE", address),
        ("STOCKROOM_DATABASE_FILE", file.to_str().unwrap()),
    ] {
        for command in ["serve", "check", "config"] {
            let mut command = stockroom(&[command, "--data", "inventory"]);
            let message = run(command.env(variable, value)).failed();
            assert!(message.contains("leave one of them out"), "{message}");
        }
    }
}

#[test]
fn a_wrong_file_is_refused_with_its_line_and_without_its_secrets() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("stockroom.toml");
    for (text, expected) in [
        (
            "# a comment\nlistn = \"127.0.0.1:1\"",
            "line 2: unknown setting `listn`, expected one of listen, ",
        ),
        (
            "listen = \"nowhere\"",
            "line 1: listen: invalid socket address",
        ),
        (
            "database = \"mysql://root:s3cret@db1\"",
            "line 1: database: a database server must be named by a URL that starts with postgres://",
        ),
        ("admin_password = \"s3cret", "line 1: "),
        (
            "\nadmin_password = 5318008",
            "line 2: expected a secret as a text in quotes",
        ),
        (
            "secret_key = [\"s3cret\"]",
            "line 1: expected a secret as a text in quotes",
        ),
        (
            "secret_key = \"s3cret\"",
            "the secret key must be 64 hexadecimal digits",
        ),
        (
            "base_path = \"inventory\"",
            "line 1: base_path: a base path must start with a slash",
        ),
        (
            "public_url = \"inventory.example\"",
            "must start with http:// or https://",
        ),
        (
            "token_lifetime = 0",
            "line 1: token_lifetime: 0 is not in 1..",
        ),
        (
            "minimum_password = 9\nadmin_password = \"s3cret\"",
            "shorter than 9 bytes",
        ),
    ] {
        fs::write(&file, text).unwrap();
        for command in ["config", "serve"] {
            let message = run(stockroom(&[command]).env("STOCKROOM_CONFIG", &file)).failed();
            assert!(message.contains(expected), "{text}: {message}");
            assert!(
                !message.contains("s3cret") && !message.contains("5318008"),
                "{message}"
            );
        }
    }
}

#[test]
fn a_file_that_is_missing_is_named() {
    for (variable, expected) in [
        ("STOCKROOM_CONFIG", "cannot read /nowhere/at-all"),
        (
            "STOCKROOM_ADMIN_PASSWORD_FILE",
            "cannot read /nowhere/at-all, named by STOCKROOM_ADMIN_PASSWORD_FILE",
        ),
        (
            "STOCKROOM_SECRET_KEY_FILE",
            "cannot read /nowhere/at-all, named by STOCKROOM_SECRET_KEY_FILE",
        ),
    ] {
        let message = run(stockroom(&["config"]).env(variable, "/nowhere/at-all")).failed();
        assert!(message.contains(expected), "{message}");
    }
}
