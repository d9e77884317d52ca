//! Sites, their rooms, and the racks in them.

use serde_json::json;

use super::estate::{Estate, Rack, Site};
use super::stock::{OLDEST, Record, Stock};
use crate::data::places::{self, RACKS, ROOMS, SITES};
use crate::types::{RACK, ROOM, SITE};

/// Adds the sites with their rooms and racks.
pub(super) fn add(stock: &mut Stock, estate: &mut Estate) {
    for table in &SITES {
        let site = add_site(stock, table);
        estate.sites.push(site);
    }
    for site in &mut estate.sites {
        add_rooms(stock, site);
    }
}

fn add_site(stock: &mut Stock, table: &'static places::Site) -> Site {
    let notes = format!(
        "Reception: {} 10, open on working days from 8 to 18.\nDeliveries through the yard.",
        table.dialling
    );
    let opened = stock.dice.between(8 * 365, 40 * 365);
    let fields = json!({
        "code": table.code,
        "name": table.name,
        "kind": table.kind,
        "opened": stock.day(-opened),
        "street": table.street,
        "postcode": table.postcode,
        "city": table.city,
        "country": table.country,
        "time-zone": table.time_zone,
        "latitude": table.latitude,
        "longitude": table.longitude,
        "notes": notes,
    });
    let id = stock.add(Record::new(SITE, OLDEST, fields));
    Site {
        id,
        table,
        offices: Vec::new(),
        meeting_rooms: Vec::new(),
        racks: Vec::new(),
        networks: Vec::new(),
        hypervisors: Vec::new(),
    }
}

fn add_rooms(stock: &mut Stock, site: &mut Site) {
    for table in &ROOMS {
        let area = table.area + stock.dice.between(-6, 12);
        let room = stock.add(Record::new(
            ROOM,
            OLDEST,
            json!({
                "name": table.name,
                "number": table.number,
                "usage": table.usage,
                "site": site.id,
                "floor": table.floor,
                "area": area,
            }),
        ));
        match table.usage {
            "office" => site.offices.push(room),
            "meeting" => site.meeting_rooms.push(room),
            _ => {}
        }
        for place in 0..table.racks {
            add_rack(stock, site, room, place);
        }
    }
}

fn add_rack(stock: &mut Stock, site: &mut Site, room: i64, place: i64) {
    let (manufacturer, model) = stock.dice.pick(&RACKS);
    let age = stock.dice.between(OLDEST - 200, OLDEST);
    let fields = json!({
        "name": format!("{}-R{:02}", site.table.code, site.racks.len() + 1),
        "manufacturer": manufacturer,
        "model": model,
        "height-units": stock.dice.pick(&[42, 42, 47]),
        "room": room,
        "row": if place < 2 { "A" } else { "B" },
        "feeds": 2,
        "max-power-kw": stock.dice.pick(&[7.4, 11.0, 11.0, 22.0]),
    });
    let id = stock.add(Record::new(RACK, age, fields));
    site.racks.push(Rack::new(id));
}
