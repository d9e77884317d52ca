//! Laptops, monitors and printers.

/// A model of a laptop.
#[derive(Clone, Copy, Default)]
pub(crate) struct LaptopModel {
    pub(crate) manufacturer: &'static str,
    pub(crate) model: &'static str,
    /// GiB.
    pub(crate) memory: i64,
    /// GiB.
    pub(crate) disk: i64,
    /// EUR.
    pub(crate) price: i64,
    pub(crate) system: &'static str,
}

#[rustfmt::skip] // A table reads better with one model a line.
pub(crate) const LAPTOPS: [(LaptopModel, i64); 7] = [
    (LaptopModel { manufacturer: "Lenovo", model: "ThinkPad T14 Gen 5", memory: 32, disk: 512, price: 1_480, system: "windows-11" }, 34),
    (LaptopModel { manufacturer: "Lenovo", model: "ThinkPad X1 Carbon Gen 12", memory: 32, disk: 1_024, price: 2_190, system: "windows-11" }, 12),
    (LaptopModel { manufacturer: "Dell", model: "Latitude 5450", memory: 16, disk: 512, price: 1_260, system: "windows-11" }, 20),
    (LaptopModel { manufacturer: "HP", model: "EliteBook 840 G11", memory: 16, disk: 512, price: 1_340, system: "windows-11" }, 12),
    (LaptopModel { manufacturer: "Framework", model: "Laptop 13", memory: 64, disk: 2_048, price: 1_890, system: "ubuntu-24.04" }, 9),
    (LaptopModel { manufacturer: "Apple", model: "MacBook Pro 14", memory: 36, disk: 1_024, price: 2_880, system: "macos-15" }, 8),
    (LaptopModel { manufacturer: "Panasonic", model: "TOUGHBOOK 40", memory: 32, disk: 1_024, price: 4_100, system: "windows-11" }, 5),
];

/// Monitors: manufacturer, model, inches.
pub(crate) const MONITORS: [(&str, &str, f64); 6] = [
    ("Dell", "U2724DE", 27.0),
    ("EIZO", "FlexScan EV2485", 24.1),
    ("LG", "34BQ77QB", 34.0),
    ("Lenovo", "ThinkVision P27h-30", 27.0),
    ("HP", "E24 G5", 23.8),
    ("iiyama", "ProLite XUB2792QSU", 27.0),
];

/// Printers: manufacturer, model, whether they print in colour.
pub(crate) const PRINTERS: [(&str, &str, bool); 5] = [
    ("Kyocera", "ECOSYS MA4000cifx", true),
    ("HP", "LaserJet Enterprise M611dn", false),
    ("Canon", "imageRUNNER ADVANCE DX C3926i", true),
    ("Brother", "HL-L6410DN", false),
    ("Ricoh", "IM C2510", true),
];
