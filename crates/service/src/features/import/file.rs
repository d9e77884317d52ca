//! What was found in a file, as it is stored.

use serde::{Deserialize, Serialize};
use stockroom_tables::{Column, Looks, Read};
use utoipa::ToSchema;

use crate::Error;
use crate::records::object::names::MEMBERS;

/// What was found in a file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) format: String,
    pub(super) separator: Option<char>,
    pub(super) encoding: Option<String>,
    pub(super) sheet: Option<String>,
    pub(super) sheets: Vec<String>,
    pub(super) has_header: bool,
    /// The number of the row that named the columns; unknown for files of earlier versions.
    #[serde(default)]
    pub(super) header_row: Option<u64>,
    pub(super) has_escapes: bool,
    pub(super) columns: Vec<Column>,
}

impl File {
    pub(super) fn new(name: String, read: Read) -> Self {
        Self {
            name,
            format: read.format.as_str().to_owned(),
            separator: read.separator,
            encoding: read.encoding.map(str::to_owned),
            sheet: read.sheet,
            sheets: read.sheets,
            has_header: read.header_row.is_some(),
            header_row: read.header_row,
            has_escapes: read.has_escapes,
            columns: read.columns,
        }
    }

    pub(super) fn read(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(Error::internal)
    }

    pub(super) fn text(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| &*column.name).collect()
    }

    /// The columns that hold no fields, if the file is one of objects as our API gives them.
    pub(super) fn object_members(&self) -> &'static [&'static str] {
        let names = self.names();
        let is_ours = ["public_id", "type_id", "creation_time"];
        if is_ours.iter().all(|name| names.contains(name)) {
            &MEMBERS
        } else {
            &[]
        }
    }

    /// Whether its cells are texts, from which values of other kinds must be read.
    pub(super) fn is_table(&self) -> bool {
        matches!(&*self.format, "csv" | "xlsx")
    }

    pub(super) fn answer(&self) -> FileAnswer {
        FileAnswer {
            name: self.name.clone(),
            format: self.format.clone(),
            separator: self.separator,
            encoding: self.encoding.clone(),
            sheet: self.sheet.clone(),
            sheets: self.sheets.clone(),
            header: self.has_header,
            header_row: self.header_row,
            escapes: self.has_escapes,
        }
    }

    pub(super) fn columns_answer(&self) -> Vec<ColumnAnswer> {
        let columns = self.columns.iter().map(|column| ColumnAnswer {
            name: column.name.clone(),
            looks: column.looks(),
            filled: column.filled,
            longest: column.longest,
            samples: column.samples.clone(),
            distinct: column.distinct.clone(),
        });
        columns.collect()
    }
}

/// What was detected
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportFile)]
pub(super) struct FileAnswer {
    name: String,
    /// Empty until the file is read
    format: String,
    #[schema(value_type = Option<String>, required)]
    separator: Option<char>,
    #[schema(required)]
    encoding: Option<String>,
    #[schema(required)]
    sheet: Option<String>,
    sheets: Vec<String>,
    header: bool,
    /// The number of the row that named the columns
    #[schema(value_type = Option<i64>, required, minimum = 1)]
    header_row: Option<u64>,
    escapes: bool,
}

/// What a column holds
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportColumn)]
pub(super) struct ColumnAnswer {
    name: String,
    looks: Looks,
    /// Number of rows with a value
    #[schema(value_type = i64, minimum = 0)]
    filled: u64,
    /// Characters of the longest value
    #[schema(value_type = i64, minimum = 0)]
    longest: usize,
    /// The first different values
    samples: Vec<String>,
    /// All different values, if they are few
    distinct: Vec<String>,
}
