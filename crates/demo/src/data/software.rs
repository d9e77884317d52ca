//! Products and their licence metrics.

/// A product.
pub(crate) struct Product {
    pub(crate) name: &'static str,
    pub(crate) manufacturer: &'static str,
    pub(crate) version: &'static str,
    pub(crate) kind: &'static str,
    /// The licence metric; `None` for open source.
    pub(crate) metric: Option<&'static str>,
}

const fn open(
    name: &'static str,
    manufacturer: &'static str,
    version: &'static str,
    kind: &'static str,
) -> Product {
    Product {
        name,
        manufacturer,
        version,
        kind,
        metric: None,
    }
}

const fn licensed(
    name: &'static str,
    manufacturer: &'static str,
    version: &'static str,
    kind: &'static str,
    metric: &'static str,
) -> Product {
    Product {
        name,
        manufacturer,
        version,
        kind,
        metric: Some(metric),
    }
}

#[rustfmt::skip] // A table reads better with one product a line.
pub(crate) const PRODUCTS: [Product; 52] = [
    open("PostgreSQL", "PostgreSQL Global Development Group", "17.6", "database"),
    open("MariaDB", "MariaDB Foundation", "11.4", "database"),
    open("ClickHouse", "ClickHouse", "25.3", "database"),
    open("Valkey", "Valkey contributors", "8.1", "database"),
    open("OpenSearch", "OpenSearch Software Foundation", "2.19", "database"),
    open("Debian", "Debian Project", "13", "operating-system"),
    open("Proxmox VE", "Proxmox", "8.4", "virtualisation"),
    open("GitLab", "GitLab", "18.2", "development"),
    open("Jenkins", "Jenkins Project", "2.516", "development"),
    open("Harbor", "Harbor contributors", "2.13", "development"),
    open("RabbitMQ", "Broadcom", "4.1", "infrastructure"),
    open("nginx", "F5", "1.28", "infrastructure"),
    open("HAProxy", "HAProxy Technologies", "3.2", "infrastructure"),
    open("BIND", "ISC", "9.20", "infrastructure"),
    open("Postfix", "Postfix contributors", "3.10", "infrastructure"),
    open("Prometheus", "Prometheus authors", "3.5", "infrastructure"),
    open("Asterisk", "Sangoma", "22.5", "infrastructure"),
    open("Greenbone", "Greenbone", "24.10", "security"),
    open("OpenBao", "OpenBao contributors", "2.3", "security"),
    open("BookStack", "BookStack contributors", "25.07", "business"),
    open("Mattermost", "Mattermost", "10.10", "office"),
    open("Nextcloud", "Nextcloud", "31.0", "office"),
    open("LibreOffice", "The Document Foundation", "25.2", "office"),
    open("Zammad", "Zammad Foundation", "6.5", "business"),
    open("TYPO3", "TYPO3 Association", "13.4", "business"),
    open("Metabase", "Metabase", "56.0", "business"),
    open("Blender", "Blender Foundation", "4.5", "design"),
    open("Inkscape", "Inkscape Project", "1.4", "design"),
    licensed("Red Hat Enterprise Linux", "Red Hat", "9.6", "operating-system", "device"),
    licensed("Windows Server Datacenter", "Microsoft", "2022", "operating-system", "core"),
    licensed("Windows 11 Enterprise", "Microsoft", "24.2", "operating-system", "device"),
    licensed("VMware vSphere Standard", "Broadcom", "8.0", "virtualisation", "core"),
    licensed("SQL Server", "Microsoft", "2022", "database", "core"),
    licensed("Oracle Database", "Oracle", "23.8", "database", "core"),
    licensed("Active Directory", "Microsoft", "2022", "infrastructure", "user"),
    licensed("Microsoft 365 E3", "Microsoft", "1", "office", "user"),
    licensed("Visio", "Microsoft", "2024", "office", "user"),
    licensed("Acrobat Pro", "Adobe", "25.1", "office", "user"),
    licensed("Creative Cloud", "Adobe", "2025", "design", "user"),
    licensed("AutoCAD", "Autodesk", "2026", "design", "user"),
    licensed("SOLIDWORKS", "Dassault Systèmes", "2025", "design", "user"),
    licensed("JetBrains All Products", "JetBrains", "2025.2", "development", "user"),
    licensed("MATLAB", "MathWorks", "25.1", "development", "user"),
    licensed("SAP S/4HANA", "SAP", "2023", "business", "user"),
    licensed("Odoo Enterprise", "Odoo", "18.0", "business", "user"),
    licensed("DATEV", "DATEV", "19.1", "business", "user"),
    licensed("d.velop documents", "d.velop", "2025.4", "business", "user"),
    licensed("Shopware", "Shopware", "6.7", "business", "site"),
    licensed("Ignition", "Inductive Automation", "8.3", "business", "site"),
    licensed("Veeam Backup", "Veeam", "12.3", "infrastructure", "core"),
    licensed("Endpoint Security", "ESET", "12.0", "security", "device"),
    licensed("Burp Suite Professional", "PortSwigger", "2025.7", "security", "user"),
];
