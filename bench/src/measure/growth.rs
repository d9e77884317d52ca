//! How the cost of a request grows with a hundred times as many objects.

use serde_json::json;

use super::{Measurement, turn};
use crate::lab::{Lab, Subject};
use crate::load::{Closed, Supply};
use crate::report::{Figure, markdown};
use crate::stats::Spread;
use crate::table::GROWTH;
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&GROWTH],
    run,
};

const CONNECTIONS: usize = 8;

/// The name and the requests of a route.
type Route = (&'static str, fn(&Subject) -> Supply);

const ROUTES: [Route; 4] = [
    ("point", |subject| {
        subject.of_any_object(|id| format!("/rest/objects/{id}/native"))
    }),
    ("list by type", |subject| {
        subject.of_any_object(|id| list(id, ""))
    }),
    ("selective filter", |subject| {
        subject.of_any_object(selective)
    }),
    ("sort, page 1", |subject| {
        subject.of_any_object(|id| list(id, "&sort=fields.price"))
    }),
];

fn list(id: i64, more: &str) -> String {
    http::list(&json!({"type_id": data::type_of(id)}), more)
}

/// The path of a list with a filter that finds one object.
pub(super) fn selective(id: i64) -> String {
    let host = data::hostname(id);
    let filter = json!({"type_id": data::type_of(id), "fields": {"$elemMatch": {"name": "hostname", "value": host}}});
    http::list(&filter, "")
}

/// The measurements of a route on one data set.
struct Course {
    supply: Supply,
    micros: Vec<f64>,
}

fn run(lab: &Lab) -> anyhow::Result<Vec<Figure>> {
    let subjects: Vec<Subject> = lab
        .plan
        .sizes
        .iter()
        .map(|size| lab.serve(*size))
        .collect::<anyhow::Result<_>>()?;
    let mut lines = vec![head(lab)];
    let mut worst: Option<(Vec<f64>, &str)> = None;
    for (name, supply) in ROUTES {
        let courses = measure(lab, &subjects, supply)?;
        let ratios = ratios(&courses);
        lines.push(line(name, &courses, &ratios));
        if worst
            .as_ref()
            .is_none_or(|(known, _)| middle(known) < middle(&ratios))
        {
            worst = Some((ratios, name));
        }
    }
    for subject in subjects {
        lab.stop(subject)?;
    }
    let table: Vec<[String; 3]> = lines;
    *lab.growth.borrow_mut() = markdown(&table);
    let (ratios, name) = worst.unwrap_or_default();
    let sizes: Vec<String> = lab.plan.sizes.iter().map(ToString::to_string).collect();
    let detail = format!("{name}; {} objects", sizes.join(" → "));
    Ok(vec![Figure::new(&GROWTH, &ratios, detail)])
}

/// Each round measures all sizes.
fn measure(
    lab: &Lab,
    subjects: &[Subject],
    supply: fn(&Subject) -> Supply,
) -> anyhow::Result<Vec<Course>> {
    let mut courses: Vec<Course> = subjects
        .iter()
        .map(|subject| Course {
            supply: supply(subject),
            micros: Vec::new(),
        })
        .collect();
    let began = std::time::Instant::now();
    for round in 0..=lab.plan.rounds {
        for (course, subject) in courses.iter_mut().zip(subjects) {
            let load = Closed {
                address: subject.server.address,
                connections: CONNECTIONS,
                duration: lab.plan.turn / 2,
                supply: course.supply.clone(),
            };
            let turn = turn(&subject.server.process, &load)?;
            // The first round warms up.
            if round > 0 {
                course.micros.push(turn.cpu_micros);
            }
        }
        if round > 0 && began.elapsed() > lab.plan.patience {
            break;
        }
    }
    Ok(courses)
}

/// The ratio of the largest to the smallest size, by round.
fn ratios(courses: &[Course]) -> Vec<f64> {
    match courses {
        [first, .., last] => last
            .micros
            .iter()
            .zip(&first.micros)
            .map(|(last, first)| last / first)
            .collect(),
        _ => Vec::new(),
    }
}

fn middle(values: &[f64]) -> f64 {
    Spread::of(values).map_or(0.0, |spread| spread.median)
}

fn head(lab: &Lab) -> [String; 3] {
    let sizes: Vec<String> = lab.plan.sizes.iter().map(ToString::to_string).collect();
    [
        "request".to_owned(),
        format!("µs at {} objects", sizes.join(" / ")),
        "growth (min … max)".to_owned(),
    ]
}

fn line(name: &str, courses: &[Course], ratios: &[f64]) -> [String; 3] {
    let micros: Vec<String> = courses
        .iter()
        .map(|course| format!("{:.1}", middle(&course.micros)))
        .collect();
    let growth = Spread::of(ratios).map_or_else(String::new, |spread| {
        format!(
            "{:.2}x ({:.2} … {:.2})",
            spread.median, spread.least, spread.most
        )
    });
    [name.to_owned(), micros.join(" / "), growth]
}
