use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Analyzer.terms(text, &mut |term| terms.push(term.to_owned()));
    terms
}

#[test]
fn identifiers_are_taken_apart() {
    assert_eq!(terms("getHTTPStatus"), ["get", "http", "status"]);
    assert_eq!(
        terms("mcp__git-hub.list_PRs"),
        ["mcp", "git", "hub", "list", "pr"]
    );
}

#[test]
fn chinese_is_characters_and_pairs() {
    assert_eq!(terms("查天气"), ["查", "查天", "天", "天气", "气"]);
}

#[test]
fn short_codes_stay_whole() {
    assert_eq!(
        terms("getS3Bucket h264 EC2"),
        ["get", "s3", "bucket", "h264", "ec2"]
    );
    assert_eq!(
        terms("address1 2023Report"),
        ["address", "1", "2023", "report"]
    );
}

#[test]
fn a_name_is_found_however_it_is_capitalized() {
    assert!(terms("GitHub").contains(&terms("github")[0]));
    assert!(terms("iPhone").contains(&terms("iphone")[0]));
    assert!(terms("PostgreSQL").contains(&terms("postgresql")[0]));
}

#[test]
fn plural_abbreviations_are_one_word() {
    assert_eq!(terms("URLs"), terms("url"));
    assert_eq!(terms("listPRs"), terms("list pr"));
}

#[test]
fn contractions_and_possessives_leave_no_letters() {
    assert_eq!(
        terms("the user\u{2019}s file, don't"),
        ["user", "file", "don"]
    );
}

#[test]
fn width_case_accents_and_variants_fold() {
    assert_eq!(
        terms("\u{ff27}\u{ff25}\u{ff34} Caf\u{e9} STRASSE stra\u{df}e"),
        terms("get cafe strasse strasse")
    );
    assert_eq!(
        terms("\u{67e5}\u{8a62}\u{5929}\u{6c23}"),
        terms("\u{67e5}\u{8be2}\u{5929}\u{6c14}")
    );
    assert_eq!(terms("\u{ff76}\u{ff9e}"), terms("\u{30ac}"));
    assert_eq!(
        terms("\u{39f}\u{394}\u{39f}\u{3a3}"),
        terms("\u{3bf}\u{3b4}\u{3cc}\u{3c2}")
    );
}

#[test]
fn scripts_without_spaces_are_pairs() {
    assert_eq!(
        terms("\u{0e2d}\u{0e32}\u{0e01}"),
        ["\u{0e2d}\u{0e32}", "\u{0e32}\u{0e01}"]
    );
    assert_eq!(
        terms("\u{b0a0}\u{c528}"),
        ["\u{b0a0}", "\u{b0a0}\u{c528}", "\u{c528}"]
    );
}

#[test]
fn vowel_signs_stay_with_their_word() {
    assert_eq!(
        terms("\u{92e}\u{94c}\u{938}\u{92e} \u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}").len(),
        2
    );
}

#[test]
fn repeated_words_and_numbers_count_less() {
    let query = Analyzer.query("send mail, mail, mail, mail 42");
    let counts: Vec<f32> = query.groups.iter().map(|group| group.count).collect();
    assert_eq!(counts, [1.0, 2.0, 0.5]);
}

#[test]
fn identifiers_typed_as_such_are_noticed() {
    let identifiers = |text: &str| Analyzer.query(text).identifiers;
    assert_eq!(
        identifiers("call mcp__git_hub__listIssues now"),
        ["mcpgithublistissues"]
    );
    assert_eq!(identifiers("use getWeather or get-weather"), ["getweather"]);
    assert_eq!(identifiers("calculator"), ["calculator"]);
    assert!(identifiers("what is the weather").is_empty());
}

#[test]
fn long_queries_are_bounded() {
    let text: String = (0..100_000).map(|i| format!("w{i}x ")).collect();
    assert!(Analyzer.query(&text).groups.len() <= MAX_GROUPS);
    let text = "\u{6c14}".repeat(100_000);
    assert!(Analyzer.query(&text).groups.len() <= MAX_GROUPS);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// Documents and queries see the same words, whatever the text.
    #[test]
    fn query_terms_are_document_terms(text in any::<String>()) {
        let mut expected: Vec<String> = Vec::new();
        for term in terms(&text) {
            if !expected.contains(&term) {
                expected.push(term);
            }
        }
        let query = Analyzer.query(&text);
        let words = query.groups.iter().map(|group| query.terms[group.terms.start].text.as_ref());
        prop_assert_eq!(words.collect::<Vec<_>>(), expected);
        for group in &query.groups {
            let terms = &query.terms[group.terms.clone()];
            prop_assert_eq!(terms[0].weight, 1.0);
            prop_assert!(terms[1..].iter().all(|term| term.weight > 0.0 && term.weight < 1.0));
        }
    }

    /// Case never decides, nor do separators in an identifier.
    #[test]
    fn upper_and_lower_case_of_plain_words_are_equal(words in "[a-z]{1,12}( [a-z]{1,12}){0,6}") {
        prop_assert_eq!(terms(&words.to_uppercase()), terms(&words));
        prop_assert_eq!(terms(&words.replace(' ', "_")), terms(&words));
    }

    /// Terms are short, have no capitals and are few against the text.
    #[test]
    fn terms_are_bounded(text in "\\PC{0,200}") {
        let terms = terms(&text);
        prop_assert!(terms.iter().all(|term| !term.is_empty() && term.chars().count() <= 3 * MAX_TERM_CHARS));
        prop_assert!(terms.len() <= 2 * text.nfkd().count());
    }
}
