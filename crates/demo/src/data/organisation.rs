//! Departments and their job titles.

/// A department.
pub(crate) struct Department {
    pub(crate) name: &'static str,
    pub(crate) cost_centre: &'static str,
    /// The cost centre of the parent department, which is further up in the table.
    pub(crate) parent: Option<&'static str>,
    /// Index of its main site.
    pub(crate) site: usize,
    /// The approximate percentage of people in it.
    pub(crate) share: i64,
    pub(crate) titles: &'static [&'static str],
}

#[rustfmt::skip] // A table reads better with one department a line.
pub(crate) const DEPARTMENTS: [Department; 18] = [
    Department { name: "Management", cost_centre: "1000", parent: None, site: 0, share: 2, titles: &["Managing director", "Executive assistant", "Head of strategy"] },
    Department { name: "Finance", cost_centre: "2000", parent: Some("1000"), site: 0, share: 5, titles: &["Accountant", "Controller", "Payroll clerk"] },
    Department { name: "Purchasing", cost_centre: "2100", parent: Some("2000"), site: 0, share: 3, titles: &["Buyer", "Contract manager"] },
    Department { name: "Human resources", cost_centre: "2200", parent: Some("1000"), site: 1, share: 4, titles: &["Recruiter", "HR partner", "Trainer"] },
    Department { name: "Legal", cost_centre: "2300", parent: Some("1000"), site: 1, share: 2, titles: &["Counsel", "Data protection officer", "Paralegal"] },
    Department { name: "Sales", cost_centre: "3000", parent: Some("1000"), site: 0, share: 12, titles: &["Account manager", "Sales engineer", "Inside sales"] },
    Department { name: "Marketing", cost_centre: "3100", parent: Some("3000"), site: 4, share: 5, titles: &["Designer", "Editor", "Campaign manager"] },
    Department { name: "Customer support", cost_centre: "3200", parent: Some("3000"), site: 4, share: 8, titles: &["Support engineer", "Support lead"] },
    Department { name: "Manufacturing", cost_centre: "4000", parent: Some("1000"), site: 2, share: 16, titles: &["Machine operator", "Shift lead", "Maintenance technician", "Planner"] },
    Department { name: "Quality", cost_centre: "4100", parent: Some("4000"), site: 2, share: 5, titles: &["Quality engineer", "Auditor"] },
    Department { name: "Logistics", cost_centre: "4200", parent: Some("4000"), site: 4, share: 7, titles: &["Warehouse clerk", "Dispatcher", "Customs specialist"] },
    Department { name: "Research", cost_centre: "5000", parent: Some("1000"), site: 5, share: 6, titles: &["Researcher", "Lab technician"] },
    Department { name: "Software engineering", cost_centre: "5100", parent: Some("5000"), site: 3, share: 11, titles: &["Software engineer", "Test engineer", "Product owner", "Architect"] },
    Department { name: "Data and analytics", cost_centre: "5200", parent: Some("5000"), site: 3, share: 3, titles: &["Data engineer", "Analyst"] },
    Department { name: "IT operations", cost_centre: "6000", parent: Some("1000"), site: 0, share: 5, titles: &["Systems engineer", "Network engineer", "Database administrator"] },
    Department { name: "Service desk", cost_centre: "6100", parent: Some("6000"), site: 0, share: 3, titles: &["Service desk agent", "Field technician"] },
    Department { name: "Information security", cost_centre: "6200", parent: Some("6000"), site: 1, share: 2, titles: &["Security analyst", "Security engineer"] },
    Department { name: "Facilities", cost_centre: "7000", parent: Some("1000"), site: 0, share: 3, titles: &["Caretaker", "Facility manager"] },
];
