//! Embeds the web UI again when it was built again.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
