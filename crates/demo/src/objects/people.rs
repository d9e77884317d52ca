//! Departments and the people in them.

use serde_json::json;

use super::estate::{Department, Estate, Person};
use super::stock::{OLDEST, Record, Stock};
use crate::data::names::{CULTURES, Culture, Name};
use crate::data::organisation::DEPARTMENTS;
use crate::types::{DEPARTMENT, PERSON};

/// How many people each site has.
const STAFF: usize = 70;

/// Forms of employment with their frequency.
const FORMS: [(&str, i64); 4] = [
    ("permanent", 82),
    ("fixed-term", 8),
    ("apprentice", 5),
    ("contractor", 5),
];

/// Adds the departments, parents first.
pub(super) fn add_departments(stock: &mut Stock, estate: &mut Estate) {
    for table in &DEPARTMENTS {
        let parent = estate
            .departments
            .iter()
            .find(|department| Some(department.cost_centre) == table.parent)
            .map(|department| department.id);
        let mailbox = table.name.to_lowercase().replace(' ', "-");
        let fields = json!({
            "name": table.name,
            "cost-centre": table.cost_centre,
            "e-mail": format!("{mailbox}@example.org"),
            "parent": parent,
            "site": estate.sites.get(table.site).map(|site| site.id),
        });
        let id = stock.add(Record::new(DEPARTMENT, OLDEST, fields));
        estate.departments.push(Department {
            id,
            name: table.name,
            cost_centre: table.cost_centre,
            head: None,
        });
    }
}

/// Adds the people of all sites in random order, as they were hired over time.
pub(super) fn add_people(stock: &mut Stock, estate: &mut Estate) {
    let mut names: Vec<(usize, Name, Name)> = Vec::new();
    for (site, culture) in CULTURES.iter().enumerate() {
        let mut pairs = full_names(culture);
        stock.dice.shuffle(&mut pairs);
        names.extend(
            pairs
                .into_iter()
                .take(STAFF)
                .map(|(given, family)| (site, given, family)),
        );
    }
    stock.dice.shuffle(&mut names);
    let count = i64::try_from(names.len()).unwrap_or(i64::MAX);
    for ((site, given, family), index) in names.into_iter().zip(1..) {
        let age = stock.age(index, count);
        add_person(stock, estate, site, [given, family], age);
    }
}

fn full_names(culture: &Culture) -> Vec<(Name, Name)> {
    let families = || culture.family.iter().copied();
    culture
        .given
        .iter()
        .flat_map(|given| families().map(|family| (*given, family)))
        .collect()
}

/// A job in a department.
struct Position {
    /// Index of the department.
    department: usize,
    title: String,
    leads: bool,
}

fn add_person(
    stock: &mut Stock,
    estate: &mut Estate,
    site: usize,
    [given, family]: [Name; 2],
    age: i64,
) {
    let position = position(stock, estate);
    let department = estate.departments.get(position.department);
    let manager = department
        .and_then(|department| department.head)
        .or_else(|| estate.people.first().map(|person| person.id));
    let place = estate.sites.get(site);
    let number = estate.people.len() + 1;
    let joined = joined(stock, age);
    let left = left(stock, age).filter(|_| !position.leads);
    let fields = json!({
        "first-name": given.0,
        "last-name": family.0,
        "e-mail": format!("{}.{}@example.org", given.1, family.1),
        "phone": place.map(|place| format!("{} {}", place.table.dialling, 100 + number)),
        "personnel-number": format!("P{:05}", 10_000 + 7 * number),
        "job-title": position.title,
        "department": department.map(|department| department.id),
        "manager": manager,
        "office": place.map(|place| stock.dice.pick(&place.offices)),
        "contract-form": if position.leads { "permanent" } else { stock.dice.weighted(&FORMS) },
        "joined": stock.day(-joined),
        "left": left.map(|days| stock.day(-days)),
    });
    let active = left.is_none();
    let id = stock.add(Record::new(PERSON, age, fields).active(active));
    if let Some(department) = estate.departments.get_mut(position.department)
        && position.leads
    {
        department.head = Some(id);
    }
    estate.people.push(Person { id, active });
}

/// Draws a job. The first person in a department leads it; the first of all leads the company.
fn position(stock: &mut Stock, estate: &Estate) -> Position {
    if estate.people.is_empty() {
        return Position {
            department: 0,
            title: "Chief executive officer".to_owned(),
            leads: true,
        };
    }
    let shares: Vec<(usize, i64)> = DEPARTMENTS
        .iter()
        .enumerate()
        .map(|(index, table)| (index, table.share))
        .collect();
    let department = stock.dice.weighted(&shares);
    let leads = estate
        .departments
        .get(department)
        .is_some_and(|department| department.head.is_none());
    let title = match DEPARTMENTS.get(department) {
        Some(table) if leads => format!("Head of {}", table.name),
        Some(table) => stock.dice.pick(table.titles).to_owned(),
        None => String::new(),
    };
    Position {
        department,
        title,
        leads,
    }
}

/// How many days ago somebody joined who has been on record for `age` days. People in the oldest
/// records joined long before.
fn joined(stock: &mut Stock, age: i64) -> i64 {
    let before = if age > OLDEST - 200 { 4_000 } else { 30 };
    age + stock.dice.between(0, before)
}

/// How many days ago somebody left; `None` for most.
fn left(stock: &mut Stock, age: i64) -> Option<i64> {
    (age > 120 && stock.dice.chance(6)).then(|| stock.dice.between(1, age - 60))
}
