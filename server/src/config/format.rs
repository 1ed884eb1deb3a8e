//! Values with a text form of their own, such as `250ms`: one function for each reads it, for the
//! schema walker and for serde alike.

use schemars::Schema;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use crate::config::{
    address::Address,
    agent_pattern::AgentPattern,
    byte_size::ByteSize,
    duration::{Duration, Timeout},
    name::Name,
    problem::Complaint,
    version::Version,
};

/// A type that is written in a form of its own.
pub(super) trait Format: Sized {
    /// The name of the form, as JSON schema's `format`. Editors do not know it; they go by the
    /// other keywords of [`Self::schema`].
    const NAME: &'static str;

    /// Reads `value`.
    ///
    /// # Errors
    ///
    /// Says what was expected and what was found.
    fn read(value: &Value) -> Result<Self, Complaint>;

    /// Describes the form for editors: it permits what [`Self::read`] does, and little more.
    fn schema() -> Schema;
}

/// Checks a value.
type Check = fn(&Value) -> Result<(), Complaint>;

/// Every form that the walker knows.
const CHECKS: [(&str, Check); 7] = [
    entry::<Address>(),
    entry::<AgentPattern>(),
    entry::<ByteSize>(),
    entry::<Duration>(),
    entry::<Name>(),
    entry::<Timeout>(),
    entry::<Version>(),
];

const fn entry<T: Format>() -> (&'static str, Check) {
    (T::NAME, |value| T::read(value).map(drop))
}

/// Finds the check of the form named `name`.
pub(super) fn check(name: &str) -> Option<Check> {
    CHECKS.into_iter().find(|(known, _)| *known == name).map(|(_, check)| check)
}

/// Gives a schema the name of its form.
pub(super) fn named<T: Format>() -> Schema {
    let mut schema = T::schema();
    schema.insert("format".into(), T::NAME.into());
    schema
}

/// Deserializes a value from its own form.
pub(super) fn deserialize<'de, T: Format, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    T::read(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
}
