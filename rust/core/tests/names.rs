//! Public names: golden vectors, and what holds for every name.

mod support;

use proptest::prelude::*;
use toolcrib_core::name::{MAX_NAME_LEN, Naming, OWN, RESERVED, public_name};

#[test]
fn names_are_the_recorded_ones() {
    for case in support::vector("names.json").as_array().expect("a list") {
        let text = |key: &str| case[key].as_str().expect("a text");
        let naming = support::naming(&case["naming"]);
        assert_eq!(
            public_name(naming, text("source"), text("tool")),
            text("name"),
            "{case}"
        );
    }
}

proptest! {
    #[test]
    fn every_name_is_legal_for_every_provider(source in ".*", tool in ".+", plain: bool) {
        let naming = if plain { Naming::Plain } else { Naming::Namespaced };
        let name = public_name(naming, &source, &tool);
        prop_assert!(name.len() <= MAX_NAME_LEN);
        prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
        prop_assert!(!RESERVED.contains(&name.as_str()));
        let replacing = public_name(Naming::Replacing, &source, &tool);
        let taken = RESERVED.contains(&replacing.as_str());
        prop_assert!(!taken || OWN.contains(&replacing.as_str()));
        prop_assert!(taken || replacing == public_name(Naming::Plain, &source, &tool));
    }

    // Only pairs that meet in all but the hash could meet at all; these meet as often as can be.
    #[test]
    fn different_tools_have_different_names(
        a in ("[ab_.]{1,3}", "[ab_.]{1,4}"),
        b in ("[ab_.]{1,3}", "[ab_.]{1,4}"),
    ) {
        prop_assume!(a != b);
        prop_assert_ne!(
            public_name(Naming::Namespaced, &a.0, &a.1),
            public_name(Naming::Namespaced, &b.0, &b.1)
        );
    }
}
