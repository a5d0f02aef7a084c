use std::fmt;

use serde_json::Value;

/// A set of JSON types; empty means that the schema does not restrict the type.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) struct Types(u8);

/// One JSON type, in the order in which type lists are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Type {
    String = 1,
    Number = 1 << 1,
    Integer = 1 << 2,
    Boolean = 1 << 3,
    Object = 1 << 4,
    Array = 1 << 5,
    Null = 1 << 6,
}

impl Type {
    const ALL: [Self; 7] = [
        Self::String,
        Self::Number,
        Self::Integer,
        Self::Boolean,
        Self::Object,
        Self::Array,
        Self::Null,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Array => "array",
            Self::Null => "null",
        }
    }

    fn standard(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// The type meant by a name that servers really send in place of a standard one.
    fn meant(name: &str) -> Option<Self> {
        Some(match name {
            "str" | "text" | "char" | "varchar" | "date" | "time" | "datetime" | "date-time"
            | "timestamp" | "uuid" | "uri" | "url" | "email" | "file" | "binary" | "base64"
            | "bytes" | "enum" | "password" => Self::String,
            "float" | "double" | "decimal" | "float32" | "float64" | "numeric" => Self::Number,
            "int" | "long" | "short" | "int32" | "int64" | "uint" | "uint32" | "uint64"
            | "bigint" | "bigdecimal" => Self::Integer,
            "bool" => Self::Boolean,
            "dict" | "map" | "struct" | "record" | "hash" | "hashmap" | "json" | "dictionary" => {
                Self::Object
            }
            "list" | "tuple" | "set" | "sequence" => Self::Array,
            "none" | "nil" | "undefined" | "void" => Self::Null,
            _ => return None,
        })
    }
}

/// What a type name turned out to be.
pub(crate) enum Named {
    Standard(Type),
    Meant(Type),
    ListOf(Box<Named>),
    Unknown,
}

impl Named {
    pub(crate) fn read(name: &str) -> Self {
        if let Some(found) = Type::standard(name) {
            return Self::Standard(found);
        }
        let lower = name.trim().to_ascii_lowercase();
        if let Some(element) = lower.strip_suffix("[]") {
            return match Self::read(element) {
                list @ Self::ListOf(_) => list,
                element => Self::ListOf(Box::new(element)),
            };
        }
        match Type::standard(&lower).or_else(|| Type::meant(&lower)) {
            Some(found) => Self::Meant(found),
            None => Self::Unknown,
        }
    }
}

impl Types {
    pub(crate) const ANY: Self = Self(0);

    pub(crate) fn of(value: &Value) -> Self {
        Self::ANY.with(match value {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Boolean,
            Value::Number(n) if n.is_f64() => Type::Number,
            Value::Number(_) => Type::Integer,
            Value::String(_) => Type::String,
            Value::Array(_) => Type::Array,
            Value::Object(_) => Type::Object,
        })
    }

    /// A number is any number: `integer` beside it says nothing.
    #[must_use]
    pub(crate) fn with(self, one: Type) -> Self {
        let set = self.0 | one as u8;
        if set & Type::Number as u8 != 0 {
            Self(set & !(Type::Integer as u8))
        } else {
            Self(set)
        }
    }

    #[must_use]
    pub(crate) fn without(self, one: Type) -> Self {
        Self(self.0 & !(one as u8))
    }

    #[must_use]
    pub(crate) fn union(self, other: Self) -> Self {
        other.iter().fold(self, Self::with)
    }

    /// `None` where no value can have both; `ANY` is neutral.
    pub(crate) fn intersection(self, other: Self) -> Option<Self> {
        if self == Self::ANY {
            return Some(other);
        }
        if other == Self::ANY {
            return Some(self);
        }
        let mut both = self.0 & other.0;
        let (number, integer) = (Type::Number as u8, Type::Integer as u8);
        if (self.0 | other.0) & number != 0 && (self.0 & (number | integer)) != 0 {
            both |= (self.0 | other.0) & integer;
        }
        (both != 0).then_some(Self(both))
    }

    pub(crate) fn is_any(self) -> bool {
        self == Self::ANY
    }

    pub(crate) fn has(self, one: Type) -> bool {
        self.0 & one as u8 != 0
    }

    pub(crate) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Type> {
        Type::ALL.into_iter().filter(move |t| self.has(*t))
    }

    /// The only type of the set.
    pub(crate) fn single(self) -> Option<Type> {
        (self.len() == 1).then(|| self.iter().next()).flatten()
    }

    /// Whether a value of this JSON type may appear.
    pub(crate) fn admits(self, value: &Value) -> bool {
        match value {
            _ if self.is_any() => true,
            Value::Number(n) => {
                self.has(Type::Number)
                    || self.has(Type::Integer)
                        && (!n.is_f64() || n.as_f64().is_some_and(|f| f.fract() == 0.0))
            }
            other => self.intersection(Self::of(other)).is_some(),
        }
    }
}

impl From<Type> for Types {
    fn from(one: Type) -> Self {
        Self(one as u8)
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Type::name)).finish()
    }
}
