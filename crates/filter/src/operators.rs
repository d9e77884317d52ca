//! Parses the operators below a field.

use serde_json::{Map, Value};
use stockroom_model::Timestamp;

use crate::datum::Datum;
use crate::error::Invalid;
use crate::literal::{Literal, LiteralSet};
use crate::node::{Comparison, ElementTest, Predicate};
use crate::parsed::Reader;
use crate::pattern::Pattern;
use crate::types::TypeSet;

impl Reader<'_> {
    /// The predicates of a field's operand: its operators, or equality with the operand itself.
    pub(crate) fn predicates(&mut self, operand: &Value) -> Result<Vec<Predicate>, Invalid> {
        if let Some(operators) = operators(operand) {
            return self.conjunction(operators);
        }
        self.count()?;
        Ok(vec![Predicate::Equal(Literal::read(operand)?)])
    }

    fn conjunction(&mut self, operators: &Map<String, Value>) -> Result<Vec<Predicate>, Invalid> {
        let mut predicates = Vec::with_capacity(operators.len());
        for (operator, operand) in operators {
            self.count()
                .and_then(|()| self.operator(operator, operand, operators, &mut predicates))
                .map_err(|fault| fault.within(operator))?;
        }
        Ok(predicates)
    }

    /// `siblings` are all operators of the field: `$regex` and `$options` belong together in any
    /// order.
    fn operator(
        &mut self,
        operator: &str,
        operand: &Value,
        siblings: &Map<String, Value>,
        into: &mut Vec<Predicate>,
    ) -> Result<(), Invalid> {
        let compare = |relation| Ok(Predicate::Compare(relation, Literal::read(operand)?));
        into.push(match operator {
            "$eq" => Predicate::Equal(Literal::read(operand)?),
            "$ne" => not(Predicate::Equal(Literal::read(operand)?)),
            "$gt" => compare(Comparison::Greater)?,
            "$gte" => compare(Comparison::GreaterOrEqual)?,
            "$lt" => compare(Comparison::Less)?,
            "$lte" => compare(Comparison::LessOrEqual)?,
            "$in" => Predicate::In(self.set(operator, operand)?),
            "$nin" => not(Predicate::In(self.set(operator, operand)?)),
            "$exists" if is_true(operand) => Predicate::Exists,
            "$exists" => not(Predicate::Exists),
            "$type" => Predicate::Type(TypeSet::read(operand)?),
            "$mod" => modulo(operand)?,
            "$size" => Predicate::Size(size(operand)?),
            "$not" => Predicate::Not(self.negated(operand)?),
            "$elemMatch" => Predicate::Element(self.element(operand)?),
            "$regex" => Predicate::Regex(self.regex(operand, siblings.get("$options"))?),
            "$options" if siblings.contains_key("$regex") => return Ok(()),
            "$all" => return self.all(operand, into),
            _ => return Err(misplaced(operator)),
        });
        Ok(())
    }

    fn set(&self, operator: &str, operand: &Value) -> Result<LiteralSet, Invalid> {
        self.items(operator, operand)?
            .iter()
            .enumerate()
            .map(|(index, item)| Literal::read(item).map_err(|fault| fault.within(index)))
            .collect()
    }

    fn items<'v>(&self, operator: &str, operand: &'v Value) -> Result<&'v [Value], Invalid> {
        match operand {
            Value::Array(items) if items.len() > self.limits.max_in => Err(Invalid::here(format!(
                "{operator} has {} values; the limit is {}",
                items.len(),
                self.limits.max_in
            ))),
            Value::Array(items) => Ok(items),
            _ => Err(Invalid::here(format!("{operator} takes a list of values"))),
        }
    }

    /// `$all` is the conjunction of its members; without members it matches nothing.
    fn all(&mut self, operand: &Value, into: &mut Vec<Predicate>) -> Result<(), Invalid> {
        let items = self.items("$all", operand)?;
        if items.is_empty() {
            into.push(Predicate::In(LiteralSet::from_iter([])));
        }
        let elements = items.first().is_some_and(|item| operators(item).is_some());
        for (index, item) in items.iter().enumerate() {
            let member = if elements {
                self.all_element(item)
            } else {
                Literal::read(item).map(Predicate::Equal)
            };
            into.push(member.map_err(|fault| fault.within(index))?);
        }
        Ok(())
    }

    fn all_element(&mut self, item: &Value) -> Result<Predicate, Invalid> {
        match operators(item).and_then(|single| single.get("$elemMatch").map(|test| (single, test)))
        {
            Some((single, test)) if single.len() == 1 => {
                self.count()?;
                let test = self.element(test);
                Ok(Predicate::Element(
                    test.map_err(|fault| fault.within("$elemMatch"))?,
                ))
            }
            _ => Err(Invalid::here(
                "$all takes values, or {\"$elemMatch\": …} throughout, but no other operator and no mixture",
            )),
        }
    }

    fn negated(&mut self, operand: &Value) -> Result<Vec<Predicate>, Invalid> {
        match operators(operand) {
            Some(operators) => self.conjunction(operators),
            None => Err(Invalid::here(
                "$not takes an object of operators such as {\"$gt\": 1} or {\"$regex\": \"a\"}",
            )),
        }
    }

    fn element(&mut self, operand: &Value) -> Result<ElementTest, Invalid> {
        match operators(operand) {
            Some(operators) if !starts_with_clause(operators) => {
                self.conjunction(operators).map(ElementTest::Value)
            }
            _ if operand.is_object() => self
                .document(operand)
                .map(|node| ElementTest::Document(Box::new(node))),
            _ => Err(Invalid::here(
                "$elemMatch takes an object: a filter for the items, or operators",
            )),
        }
    }

    fn regex(&mut self, pattern: &Value, options: Option<&Value>) -> Result<Pattern, Invalid> {
        let text = |value: &Value, what| match value {
            Value::String(text) => Ok(text.clone()),
            _ => Err(Invalid::here(format!("{what} takes a text"))),
        };
        let pattern = text(pattern, "$regex")?;
        self.count_pattern()?;
        let options = options.map_or(Ok(String::new()), |options| text(options, "$options"))?;
        Pattern::new(&pattern, &options, self.limits).map_err(Invalid::here)
    }
}

/// The operand as operators: an object that begins with an operator and is not a date.
fn operators(operand: &Value) -> Option<&Map<String, Value>> {
    let entries = operand.as_object()?;
    let begins = entries.keys().next()?.starts_with('$');
    let broken_date = entries.len() == 1 && entries.contains_key("$date");
    (begins && !broken_date && Timestamp::from_date(operand).is_none()).then_some(entries)
}

fn starts_with_clause(operators: &Map<String, Value>) -> bool {
    let first = operators.keys().next().map(String::as_str);
    matches!(first, Some("$and" | "$or" | "$nor"))
}

fn not(predicate: Predicate) -> Predicate {
    Predicate::Not(vec![predicate])
}

fn misplaced(operator: &str) -> Invalid {
    Invalid::here(match operator {
        "$and" | "$or" | "$nor" => {
            format!("{operator} combines whole filters; it cannot stand below a field")
        }
        "$options" => "$options needs a $regex beside it".to_owned(),
        "$date" => "a $date stands alone in its object".to_owned(),
        _ if operator.starts_with('$') => format!("{operator} is not a supported operator"),
        _ => format!("operators and the key {operator:?} cannot be mixed in one object"),
    })
}

/// MongoDB's truth values: 0, null and false are false, everything else is true.
fn is_true(operand: &Value) -> bool {
    match operand {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        _ => true,
    }
}

fn size(operand: &Value) -> Result<u64, Invalid> {
    match Datum::of(operand) {
        Datum::Number(number) => number
            .integral()
            .and_then(|count| u64::try_from(count).ok()),
        _ => None,
    }
    .ok_or_else(|| Invalid::here("$size takes a whole number of at least 0"))
}

fn modulo(operand: &Value) -> Result<Predicate, Invalid> {
    let number = |value| match Datum::of(value) {
        Datum::Number(number) => number
            .truncated()
            .and_then(|whole| i64::try_from(whole).ok()),
        _ => None,
    };
    let pair = match operand.as_array().map(Vec::as_slice) {
        Some([divisor, remainder]) => number(divisor).zip(number(remainder)),
        _ => None,
    };
    match pair {
        Some((0, _)) => Err(Invalid::here("the divisor of $mod cannot be 0")),
        Some((divisor, remainder)) => Ok(Predicate::Mod { divisor, remainder }),
        None => Err(Invalid::here(
            "$mod takes a list of two 64-bit numbers: [divisor, remainder]",
        )),
    }
}
