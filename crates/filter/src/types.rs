//! The operand of `$type`.

use serde_json::Value;

use crate::datum::Datum;
use crate::error::Invalid;
use crate::number::Numeric;

/// The MongoDB types that a value of a document can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A number written with a fraction or an exponent.
    Double,
    /// A text.
    String,
    /// An object that is not a date.
    Object,
    /// An array.
    Array,
    /// A boolean.
    Bool,
    /// `{"$date": …}`.
    Date,
    /// `null`, but not a missing value.
    Null,
    /// An integer of 32 bits.
    Int,
    /// Any other integer.
    Long,
}

impl Type {
    /// The type of a value.
    #[must_use]
    pub fn of(datum: Datum<'_>) -> Self {
        match datum {
            Datum::Null => Self::Null,
            Datum::Number(Numeric::Double(_)) => Self::Double,
            Datum::Number(Numeric::Integer(integer)) if i32::try_from(integer).is_ok() => Self::Int,
            Datum::Number(Numeric::Integer(_)) => Self::Long,
            Datum::Text(_) => Self::String,
            Datum::Object(_) => Self::Object,
            Datum::Array(_) => Self::Array,
            Datum::Bool(_) => Self::Bool,
            Datum::Date(_) => Self::Date,
        }
    }
}

/// The types in the operand of `$type`; empty if it names only types that JSON cannot represent,
/// such as `objectId`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TypeSet(u16);

/// Whether none, some or all members of a group are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    None,
    Some,
    All,
}

impl TypeSet {
    /// Whether `wanted` is included.
    #[must_use]
    pub fn contains(self, wanted: Type) -> bool {
        self.0 & Self::from(wanted).0 != 0
    }

    /// How many of the three number types are included.
    pub(crate) fn numbers(self) -> Share {
        let asked = [Type::Double, Type::Int, Type::Long].map(|wanted| self.contains(wanted));
        match asked {
            [true, true, true] => Share::All,
            [false, false, false] => Share::None,
            _ => Share::Some,
        }
    }

    /// Reads an alias, a BSON type number, or a list of them.
    pub(crate) fn read(operand: &Value) -> Result<Self, Invalid> {
        let Value::Array(items) = operand else {
            return one(operand);
        };
        if items.is_empty() {
            return Err(Invalid::here("$type needs at least one type"));
        }
        let mut types = Self::default();
        for (index, item) in items.iter().enumerate() {
            types = types.or(one(item).map_err(|fault| fault.within(index))?);
        }
        Ok(types)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl From<Type> for TypeSet {
    fn from(single: Type) -> Self {
        Self(1 << single as u16)
    }
}

fn one(operand: &Value) -> Result<TypeSet, Invalid> {
    let found = match Datum::of(operand) {
        Datum::Text(alias) => by_alias(alias),
        Datum::Number(number) => number.integral().and_then(by_number),
        _ => None,
    };
    found.ok_or_else(|| {
        Invalid::here(format!(
            "{operand} is no type; $type takes a name such as \"string\", \"number\" or \"date\", its BSON number, or a list of them"
        ))
    })
}

fn by_alias(alias: &str) -> Option<TypeSet> {
    Some(match alias {
        "number" => TypeSet::from(Type::Double)
            .or(Type::Int.into())
            .or(Type::Long.into()),
        "double" => Type::Double.into(),
        "string" => Type::String.into(),
        "object" => Type::Object.into(),
        "array" => Type::Array.into(),
        "bool" => Type::Bool.into(),
        "date" => Type::Date.into(),
        "null" => Type::Null.into(),
        "int" => Type::Int.into(),
        "long" => Type::Long.into(),
        "binData"
        | "undefined"
        | "objectId"
        | "regex"
        | "dbPointer"
        | "javascript"
        | "symbol"
        | "javascriptWithScope"
        | "timestamp"
        | "decimal"
        | "minKey"
        | "maxKey" => TypeSet::default(),
        _ => return None,
    })
}

fn by_number(number: i128) -> Option<TypeSet> {
    Some(match number {
        1 => Type::Double.into(),
        2 => Type::String.into(),
        3 => Type::Object.into(),
        4 => Type::Array.into(),
        8 => Type::Bool.into(),
        9 => Type::Date.into(),
        10 => Type::Null.into(),
        16 => Type::Int.into(),
        18 => Type::Long.into(),
        5..=7 | 11..=15 | 17 | 19 | -1 | 127 => TypeSet::default(),
        _ => return None,
    })
}
