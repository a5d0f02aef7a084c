//! The project's words as they stand in frames. Java's side of each is the method of the same
//! purpose in the class of that name.

use std::sync::Arc;

use toolcrib_core::{
    Limits, json,
    name::Naming,
    registry::PublishReport,
    session::{HitState, SearchHit, SearchOutcome},
    source::{ExpectedSource, ExposureRules, Quarantined, Source, SourceDefinition, ToolInput},
    tool::{Annotations, Exposure, Tool, ToolDefinition},
    view::{Selection, Term},
};

use crate::{
    error::Result,
    wire::{Reader, Writer},
};

/// Deepest selection that is read at all; the core has its own, lower limit.
const SELECTION_DEPTH: usize = 64;
const NAMINGS: [Naming; 3] = [Naming::Namespaced, Naming::Plain, Naming::Replacing];

/// Reads what a caller may use.
pub fn selection(frame: &mut Reader<'_>, limits: &Limits) -> Result<Arc<Selection>> {
    let term = term(frame, SELECTION_DEPTH)?;
    Ok(Arc::new(Selection::new(term, limits)?))
}

fn term(frame: &mut Reader<'_>, depth_left: usize) -> Result<Term> {
    let Some(depth_left) = depth_left.checked_sub(1) else {
        return Err(frame.broken("a selection is nested too deep"));
    };
    let any = |frame: &mut Reader<'_>, term: fn(Box<str>) -> Term| {
        let mut terms = frame.list(|frame| Ok(term(frame.text()?.into())))?;
        Ok(match terms.len() {
            1 => terms.remove(0),
            _ => Term::Or(terms),
        })
    };
    match frame.number()? {
        0 => Ok(Term::None),
        1 => Ok(Term::All),
        2 => Ok(Term::Names(frame.list(|frame| Ok(frame.text()?.into()))?)),
        3 => any(frame, Term::Source),
        4 => any(frame, Term::Domain),
        5 => any(frame, Term::Tag),
        6 => Ok(Term::Exposure(frame.constant(&Exposure::ALL)?)),
        7 => Ok(Term::And(frame.list(|frame| term(frame, depth_left))?)),
        8 => Ok(Term::Or(frame.list(|frame| term(frame, depth_left))?)),
        9 => Ok(Term::Not(Box::new(term(frame, depth_left)?))),
        _ => Err(frame.broken("an unknown form of a selection")),
    }
}

/// Reads a source with its tools.
pub fn source_definition(frame: &mut Reader<'_>) -> Result<SourceDefinition> {
    let mut source = SourceDefinition {
        name: frame.text()?.to_owned(),
        description: frame.text()?.to_owned(),
        instructions: frame.text()?.to_owned(),
        naming: frame.constant(&NAMINGS)?,
        domain: optional_text(frame)?,
        tags: texts(frame)?,
        exposure: ExposureRules {
            default: frame.constant(&Exposure::ALL)?,
            overrides: frame
                .list(|frame| Ok((frame.text()?.to_owned(), frame.constant(&Exposure::ALL)?)))?,
        },
        tools: frame.list(|frame| Ok(ToolInput::Definition(Box::new(definition(frame)?))))?,
        revision: 0,
    };
    source.tools.extend(frame.list(|frame| {
        let text = json::text("a list of tools", frame.bytes()?)?;
        Ok(ToolInput::ToolsList(text.to_owned()))
    })?);
    source.revision = frame.number()?;
    Ok(source)
}

/// Reads a source that is to come.
pub fn expected_source(frame: &mut Reader<'_>) -> Result<ExpectedSource> {
    Ok(ExpectedSource {
        name: frame.text()?.into(),
        exposures: frame.list(|frame| frame.constant(&Exposure::ALL))?,
        domain: optional_text(frame)?,
        tags: texts(frame)?,
    })
}

fn definition(frame: &mut Reader<'_>) -> Result<ToolDefinition> {
    Ok(ToolDefinition {
        name: frame.text()?.to_owned(),
        title: optional_text(frame)?,
        description: frame.text()?.to_owned(),
        input_schema: frame.text()?.to_owned(),
        output_schema: optional_text(frame)?,
        annotations: Annotations {
            title: optional_text(frame)?,
            read_only_hint: frame.optional(Reader::flag)?,
            destructive_hint: frame.optional(Reader::flag)?,
            idempotent_hint: frame.optional(Reader::flag)?,
            open_world_hint: frame.optional(Reader::flag)?,
        },
        meta: optional_text(frame)?,
        domain: optional_text(frame)?,
        tags: texts(frame)?,
        keywords: texts(frame)?,
        exposure: frame.optional(|frame| frame.constant(&Exposure::ALL))?,
    })
}

fn optional_text(frame: &mut Reader<'_>) -> Result<Option<String>> {
    frame.optional(|frame| Ok(frame.text()?.to_owned()))
}

fn texts(frame: &mut Reader<'_>) -> Result<Vec<String>> {
    frame.list(|frame| Ok(frame.text()?.to_owned()))
}

/// Writes a tool without its schemas.
pub fn tool(frame: &mut Writer, tool: &Tool) {
    frame
        .text(tool.name())
        .text(tool.source())
        .text(tool.local_name());
    frame.optional_text(tool.title()).text(tool.description());
    frame.optional_text(tool.domain());
    frame.texts(tool.tags().collect::<Vec<_>>());
    frame.count(tool.exposure() as usize);
    let annotations = tool.annotations();
    frame.optional_text(annotations.title.as_deref());
    for hint in [
        annotations.read_only_hint,
        annotations.destructive_hint,
        annotations.idempotent_hint,
        annotations.open_world_hint,
    ] {
        frame.optional(hint, |frame, hint| {
            frame.flag(hint);
        });
    }
}

/// Writes what came of putting a source, or why it was not taken.
pub fn publish_result(frame: &mut Writer, result: &Result<PublishReport>) {
    frame.flag(result.is_ok());
    match result {
        Ok(report) => self::report(frame, report),
        Err(error) => {
            frame.text(error.code()).text(&error.to_string());
        }
    }
}

fn report(frame: &mut Writer, report: &PublishReport) {
    frame.number(report.version);
    frame
        .count(report.published)
        .count(report.changed)
        .count(report.removed);
    frame.list(&report.quarantined, quarantined);
}

/// Writes a source without its tools.
pub fn source(frame: &mut Writer, source: &Source) {
    frame
        .text(source.name())
        .text(source.description())
        .text(source.instructions());
    frame.count(source.tools().len());
    frame.list(source.quarantined(), quarantined);
}

fn quarantined(frame: &mut Writer, quarantined: &Quarantined) {
    frame.text(&quarantined.tool);
    frame
        .text(quarantined.reason.code())
        .text(&quarantined.reason.to_string());
}

/// Writes what came of a search; `text` is what the model reads of it.
pub fn outcome(frame: &mut Writer, outcome: &SearchOutcome, text: &str) {
    let form = match outcome {
        SearchOutcome::Found { .. } => 0,
        SearchOutcome::AlreadyActive { .. } => 1,
        SearchOutcome::Nothing { .. } => 2,
    };
    frame.number(form).text(text);
    match outcome {
        SearchOutcome::Found { hits, added, .. } => frame.list(hits, hit).texts(added),
        SearchOutcome::AlreadyActive { hits, .. } => frame.list(hits, hit),
        SearchOutcome::Nothing {
            near_names,
            sources,
            ..
        } => frame.texts(near_names).texts(sources),
    };
    frame.texts(outcome.not_ready());
}

fn hit(frame: &mut Writer, hit: &SearchHit) {
    tool(frame, &hit.tool);
    frame.decimal(hit.score.into());
    frame.number(match hit.state {
        HitState::Added => 0,
        HitState::AlreadyActive => 1,
        HitState::NoRoom => 2,
    });
}
