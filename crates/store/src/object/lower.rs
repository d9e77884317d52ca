//! What of a query SQL can decide. Every condition here keeps all rows that match; `exact` says that it keeps no others.

use stockroom_access::Scope;
use stockroom_filter::{Literal, Node, Predicate};

use super::query::{ObjectQuery, Restriction};
use crate::driver::{Param, one_of};

/// A value bound to a parameter.
enum Bound {
    Int(i64),
    Ints(Vec<i64>),
}

/// Conditions on the rows of `object`, joined by AND.
pub(super) struct Conditions {
    terms: Vec<String>,
    bounds: Vec<Bound>,
    /// Whether the conditions say everything that the query says.
    pub(super) exact: bool,
}

impl Conditions {
    pub(super) fn new(scope: &Scope, query: &ObjectQuery) -> Self {
        let mut conditions = Self {
            terms: Vec::new(),
            bounds: Vec::new(),
            exact: true,
        };
        if !scope.hidden().is_empty() {
            let hidden = conditions.one_of("type_id", scope.hidden().to_vec());
            conditions.terms.push(format!("NOT ({hidden})"));
        }
        if query.active_only {
            conditions.equals("active", 1);
        }
        match &query.restriction {
            Restriction::None => {}
            Restriction::References(target) => {
                let parameter = conditions.bind(Bound::Int(target.get()));
                conditions.terms.push(format!("public_id IN (SELECT object_id FROM object_reference WHERE target_id = ?{parameter})"));
            }
            Restriction::Unclean(r#type, _) => {
                conditions.equals("type_id", r#type.get());
                conditions.exact = false;
            }
        }
        let exact = conditions.lower(query.filter.root());
        conditions.exact &= exact;
        conditions
    }

    /// The WHERE clause, or nothing.
    pub(super) fn sql(&self) -> String {
        if self.terms.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.terms.join(" AND "))
        }
    }

    /// The values of the parameters, in their order.
    pub(super) fn params(&self) -> Vec<Param<'_>> {
        self.bounds
            .iter()
            .map(|bound| match bound {
                Bound::Int(value) => Param::Int(*value),
                Bound::Ints(values) => Param::Ints(values),
            })
            .collect()
    }

    fn bind(&mut self, bound: Bound) -> usize {
        self.bounds.push(bound);
        self.bounds.len()
    }

    fn equals(&mut self, column: &str, value: i64) {
        let parameter = self.bind(Bound::Int(value));
        self.terms.push(format!("{column} = ?{parameter}"));
    }

    fn one_of(&mut self, column: &str, values: Vec<i64>) -> String {
        let parameter = self.bind(Bound::Ints(values));
        one_of(column, parameter)
    }

    /// Adds what SQL can say of a filter; answers whether that is all of it.
    fn lower(&mut self, node: &Node) -> bool {
        match node {
            Node::And(nodes) => {
                // Every part adds its condition, also after one that SQL cannot say.
                let exact: Vec<bool> = nodes.iter().map(|node| self.lower(node)).collect();
                exact.into_iter().all(|exact| exact)
            }
            Node::Field { path, predicate } => match path.to_dotted().as_str() {
                column @ ("public_id" | "type_id") => self.lower_id(column, predicate),
                _ => false,
            },
            _ => false,
        }
    }

    /// Ids stand in columns of their own, and the document says the same.
    fn lower_id(&mut self, column: &str, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::Equal(value) => match whole(value) {
                Some(id) => {
                    self.equals(column, id);
                    true
                }
                None => false,
            },
            Predicate::In(values) => match values
                .as_slice()
                .iter()
                .map(whole)
                .collect::<Option<Vec<i64>>>()
            {
                Some(ids) => {
                    let term = self.one_of(column, ids);
                    self.terms.push(term);
                    true
                }
                None => false,
            },
            _ => false,
        }
    }
}

fn whole(literal: &Literal) -> Option<i64> {
    match literal {
        Literal::Number(number) => i64::try_from(number.integral()?).ok(),
        _ => None,
    }
}
