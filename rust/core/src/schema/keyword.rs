/// How the value of a keyword is read and walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A string.
    Text,
    /// Any JSON value.
    Any,
    /// A non-empty array of any values.
    Values,
    /// A non-negative integer.
    Count,
    /// A number.
    Number,
    /// A boolean; `false` says nothing.
    Flag,
    /// An array of property names.
    Names,
    /// An object of arrays of property names.
    NameMap,
    /// A schema.
    Schema,
    /// A non-empty array of schemas.
    Schemas,
    /// An object of schemas.
    SchemaMap,
}

macro_rules! keywords {
    ($($name:ident $text:literal $kind:ident,)*) => {
        /// The keywords of JSON Schema that Toolcrib knows, but for `type`, `$ref` and `$defs`,
        /// which a [`super::node::Node`] keeps apart. Declarations are written in this order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub(crate) enum Keyword { $($name,)* }

        impl Keyword {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$name,)*];

            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$name),)* _ => None }
            }

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            pub(crate) fn kind(self) -> Kind {
                match self { $(Self::$name => Kind::$kind,)* }
            }
        }
    };
}

keywords! {
    Title "title" Text,
    Description "description" Text,
    Enum "enum" Values,
    Const "const" Any,
    Format "format" Text,
    Pattern "pattern" Text,
    MinLength "minLength" Count,
    MaxLength "maxLength" Count,
    ContentEncoding "contentEncoding" Text,
    ContentMediaType "contentMediaType" Text,
    Minimum "minimum" Number,
    Maximum "maximum" Number,
    ExclusiveMinimum "exclusiveMinimum" Number,
    ExclusiveMaximum "exclusiveMaximum" Number,
    MultipleOf "multipleOf" Number,
    Default "default" Any,
    Examples "examples" Values,
    Properties "properties" SchemaMap,
    Required "required" Names,
    AdditionalProperties "additionalProperties" Schema,
    PatternProperties "patternProperties" SchemaMap,
    PropertyNames "propertyNames" Schema,
    UnevaluatedProperties "unevaluatedProperties" Schema,
    MinProperties "minProperties" Count,
    MaxProperties "maxProperties" Count,
    DependentRequired "dependentRequired" NameMap,
    DependentSchemas "dependentSchemas" SchemaMap,
    PrefixItems "prefixItems" Schemas,
    Items "items" Schema,
    UnevaluatedItems "unevaluatedItems" Schema,
    Contains "contains" Schema,
    MinContains "minContains" Count,
    MaxContains "maxContains" Count,
    MinItems "minItems" Count,
    MaxItems "maxItems" Count,
    UniqueItems "uniqueItems" Flag,
    AnyOf "anyOf" Schemas,
    OneOf "oneOf" Schemas,
    AllOf "allOf" Schemas,
    Not "not" Schema,
    If "if" Schema,
    Then "then" Schema,
    Else "else" Schema,
}

impl Keyword {
    /// Whether the keyword only informs: dropping it changes nothing that is accepted.
    pub(crate) fn is_annotation(self) -> bool {
        matches!(
            self,
            Self::Title
                | Self::Description
                | Self::Default
                | Self::Examples
                | Self::ContentEncoding
                | Self::ContentMediaType
        )
    }

    /// Whether the schemas of the keyword apply to the very value the schema applies to, not to a
    /// part of it.
    pub(crate) fn is_in_place(self) -> bool {
        matches!(
            self,
            Self::AnyOf
                | Self::OneOf
                | Self::AllOf
                | Self::Not
                | Self::If
                | Self::Then
                | Self::Else
                | Self::DependentSchemas
        )
    }
}
