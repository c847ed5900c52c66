//! The well-known services and their categories, in a table that an operator can extend.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;

use toposcope_types::{ServiceCategory, TransportProtocol, UnknownCategory};

const HEADER: &str = "name,category,ports";

static BUILTIN: LazyLock<Definitions> = LazyLock::new(|| {
    let mut definitions = Definitions { by_name: HashMap::new() };
    definitions.read(include_str!("service_definitions.csv")).expect("a test reads the same file");
    definitions
});

/// A service that is known by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name, as in `service_definition`.
    pub name: String,
    /// The category.
    pub category: ServiceCategory,
    /// The ports that it listens on by default.
    pub ports: Vec<(u16, TransportProtocol)>,
}

/// The table of known services, with names looked up without regard to the case of A to Z.
#[derive(Debug, Clone)]
pub struct Definitions {
    by_name: HashMap<String, Definition>,
}

/// The reason why an operator's table cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the service definitions: {reason}")]
pub struct DefinitionError {
    /// The line number, from 1.
    pub line: usize,
    /// The problem with the line.
    pub reason: String,
}

impl Definitions {
    /// Returns the table that comes with this product.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// Returns the table that comes with this product, extended by an operator's table in the same
    /// format, whose lines take precedence.
    pub fn with_file(text: &str) -> Result<Self, DefinitionError> {
        let mut definitions = Self::builtin().clone();
        definitions.read(text)?;
        Ok(definitions)
    }

    /// Returns the definition with this name, in any case.
    pub fn get(&self, service_definition: &str) -> Option<&Definition> {
        self.by_name.get(&service_definition.to_ascii_lowercase())
    }

    /// Returns the category of a service; [`ServiceCategory::Unknown`] if it is not in the table.
    pub fn category_of(&self, service_definition: &str) -> ServiceCategory {
        self.get(service_definition).map_or(ServiceCategory::Unknown, |found| found.category)
    }

    /// Returns the names in the table whose category is wanted, in lower case and in order.
    ///
    /// They are for comparison with `lower(service_definition)`. Names outside the table count as
    /// Unknown and are not among them.
    pub fn names(&self, wanted: impl Fn(ServiceCategory) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .by_name
            .iter()
            .filter(|(_, definition)| wanted(definition.category))
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        names
    }

    /// Returns all definitions, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Definition> {
        self.by_name.values()
    }

    /// Reads the lines of a table, each replacing an earlier one with the same name.
    fn read(&mut self, text: &str) -> Result<(), DefinitionError> {
        let mut first_seen = HashMap::new();
        for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let fail = |reason| DefinitionError { line, reason };
            if line == 1 {
                if content != HEADER {
                    return Err(fail(format!("expected the header `{HEADER}`")));
                }
                continue;
            }
            if content.trim().is_empty() {
                continue;
            }
            let definition = content.parse::<Definition>().map_err(fail)?;
            let key = definition.name.to_ascii_lowercase();
            if let Some(earlier) = first_seen.insert(key.clone(), line) {
                let name = definition.name;
                return Err(fail(format!("`{name}` is on line {earlier} already: remove one")));
            }
            self.by_name.insert(key, definition);
        }
        Ok(())
    }
}

impl FromStr for Definition {
    type Err = String;

    /// Reads one line; the error says what is wrong with it.
    fn from_str(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, category, ports] = fields[..] else {
            return Err(format!("expected 3 fields, found {}", fields.len()));
        };
        if name.is_empty() || name.contains(|c: char| c == '"' || c.is_control()) {
            return Err(format!("`{name}` is not a name: write it without quotes"));
        }
        Ok(Self {
            name: name.to_owned(),
            category: category.parse().map_err(|error: UnknownCategory| error.to_string())?,
            ports: ports.split_whitespace().map(port).collect::<Result<_, _>>()?,
        })
    }
}

/// Reads a port such as `443/tcp`.
fn port(text: &str) -> Result<(u16, TransportProtocol), String> {
    let parsed = text.split_once('/').and_then(|(number, protocol)| {
        let protocol = match protocol {
            "tcp" => TransportProtocol::Tcp,
            "udp" => TransportProtocol::Udp,
            _ => return None,
        };
        Some((number.parse().ok().filter(|&number| number > 0)?, protocol))
    });
    parsed.ok_or_else(|| format!("`{text}` is not a port: write it as `443/tcp` or `53/udp`"))
}
