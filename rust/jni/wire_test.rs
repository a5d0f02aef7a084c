use proptest::prelude::*;
use serde_json::Value;
use toolcrib_core::Limits;

use super::*;
use crate::{frames, limits};

fn vectors() -> Value {
    let text = include_str!("../../tests/vectors/wire.json");
    serde_json::from_str(text).expect("the vectors are JSON")
}

fn write(form: &str, value: &Value) -> Vec<u8> {
    let mut frame = Writer::new();
    match form {
        "number" => frame.number(value.as_str().unwrap().parse().unwrap()),
        "flag" => frame.flag(value.as_bool().unwrap()),
        "decimal" => frame.decimal(value.as_f64().unwrap()),
        "text" => frame.text(value.as_str().unwrap()),
        "optional_text" => frame.optional_text(value.as_str()),
        "texts" => frame.texts(
            value
                .as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_str().unwrap()),
        ),
        other => panic!("no form: {other}"),
    };
    frame.finish()
}

/// Decimals are only ever written here, so there is nothing to read them with.
fn read(form: &str, frame: &[u8]) -> Option<Result<Value>> {
    Some(Reader::read(frame, |frame| {
        Ok(match form {
            "number" => frame.number()?.to_string().into(),
            "flag" => frame.flag()?.into(),
            "text" => frame.text()?.into(),
            "optional_text" => frame.optional(Reader::text)?.into(),
            "texts" => frame.list(Reader::text)?.into(),
            _ => return Err(frame.broken("not read")),
        })
    }))
    .filter(|_| form != "decimal")
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

#[test]
fn every_value_of_the_vectors_has_its_form() {
    for case in vectors()["values"].as_array().unwrap() {
        let (form, frame) = (case["form"].as_str().unwrap(), bytes(&case["hex"]));
        assert_eq!(write(form, &case["value"]), frame, "{case}");
        if let Some(value) = read(form, &frame) {
            assert_eq!(value.unwrap(), case["value"], "{case}");
        }
    }
}

#[test]
fn what_is_broken_in_the_vectors_is_refused() {
    for case in vectors()["broken"].as_array().unwrap() {
        if let Some(value) = read(case["form"].as_str().unwrap(), &bytes(&case["hex"])) {
            assert!(matches!(value, Err(Error::Frame { .. })), "{case}");
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(number: u64, flag: bool, text: String, texts: Vec<String>) {
        let mut frame = Writer::new();
        frame.number(number).flag(flag).text(&text).texts(&texts).optional_text(Some(&text));
        let read = Reader::read(&frame.finish(), |frame| {
            Ok((
                frame.number()?,
                frame.flag()?,
                frame.text()?.to_owned(),
                frame.list(|frame| Ok(frame.text()?.to_owned()))?,
                frame.optional(|frame| Ok(frame.text()?.to_owned()))?,
            ))
        });
        prop_assert_eq!(read.unwrap(), (number, flag, text.clone(), texts, Some(text)));
    }

    #[test]
    fn any_bytes_are_read_or_refused(frame: Vec<u8>) {
        // Whatever comes of it, it comes without a panic and without reserving much.
        let _ = Reader::read(&frame, frames::source_definition);
        let _ = Reader::read(&frame, |frame| frames::selection(frame, &Limits::default()));
        let _ = Reader::read(&frame, limits::read);
    }

    #[test]
    fn a_selection_nested_without_end_is_refused(depth in 65usize..100_000) {
        let frame = vec![9; depth];
        prop_assert!(Reader::read(&frame, |frame| frames::selection(frame, &Limits::default())).is_err());
    }
}
