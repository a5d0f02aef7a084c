//! Natives of what goes to a model's provider and what comes back.

use jni::{
    Env, NativeMethod,
    objects::{JByteArray, JClass},
    sys::{jboolean, jlong},
};
use toolcrib_core::{
    json,
    provider::{Activation, Budget, Effect, Endpoint, ModelCall, ResultPart, Target},
    session::{CallAnswer, FoundTool},
};

use crate::{
    error::Result,
    library::native,
    session::SESSIONS,
    throw::Throw,
    wire::{Reader, Writer},
};

/// The natives of this module.
pub const NATIVES: &[NativeMethod] = &[
    native!(fn session_render(session: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn session_is_rendered(session: jlong, revision: jlong) -> jboolean),
    native!(fn session_decode(session: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn session_encode(session: jlong, frame: jbyte[]) -> jbyte[]),
];

/// Reads an endpoint: what is not said of it is as the core has it.
pub fn endpoint(frame: &mut Reader<'_>) -> Result<Endpoint> {
    let unknown = || toolcrib_core::Error::InvalidArgument("an unknown target".into());
    let target = Target::from_name(frame.text()?).ok_or_else(unknown)?;
    let mut endpoint = match frame.flag()? {
        true => Endpoint::native(target),
        false => Endpoint::new(target),
    };
    if let Some(activation) = frame.optional(|frame| frame.constant(Activation::ALL))? {
        endpoint = endpoint.with_activation(activation)?;
    }
    if let Some(strict) = frame.optional(Reader::flag)? {
        endpoint = endpoint.with_strict(strict);
    }
    if let Some(marked) = frame.optional(Reader::flag)? {
        endpoint = endpoint.with_cache_breakpoint(marked);
    }
    if let Some(renamed) = frame.optional(Reader::flag)? {
        endpoint = endpoint.with_search_renamed(renamed);
    }
    if let Some(budget) = frame.optional(budget)? {
        endpoint = endpoint.with_budget(budget);
    }
    Ok(endpoint)
}

fn budget(frame: &mut Reader<'_>) -> Result<Budget> {
    let limit = |frame: &mut Reader<'_>| -> Result<Option<usize>> {
        let limit = frame.optional(Reader::number)?;
        Ok(limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)))
    };
    Ok(Budget {
        max_tools: limit(frame)?,
        max_strict: limit(frame)?,
        max_strict_optional: limit(frame)?,
        max_strict_unions: limit(frame)?,
    })
}

fn session_render<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let endpoint = Reader::read(&env.convert_byte_array(frame)?, endpoint)?;
    let rendered = session.render(&endpoint);
    let notes: Vec<_> = rendered
        .notes
        .iter()
        .flat_map(|(tool, notes)| notes.iter().map(move |note| (tool, note)))
        .collect();
    let mut frame = Writer::new();
    frame.number(rendered.revision);
    frame.text(endpoint.target().wrapping().field);
    frame.text(&rendered.json).texts(&rendered.names);
    frame.texts(&rendered.withdrawn);
    frame.list(notes, |frame, (tool, note)| {
        frame.text(tool).text(&note.pointer);
        frame.number(match note.effect {
            Effect::Rewritten => 0,
            Effect::Narrowed => 1,
            Effect::Loosened => 2,
        });
        frame.text(note.what).text(note.why);
    });
    frame.list(&rendered.quarantined, |frame, (tool, rejection)| {
        frame.text(tool).text(rejection.code());
        frame.text(&rejection.to_string());
    });
    frame.texts(&rendered.left_out);
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn session_is_rendered(
    _: &mut Env<'_>,
    _: JClass<'_>,
    session: jlong,
    revision: jlong,
) -> Result<jboolean> {
    Ok(SESSIONS.get(session)?.is_rendered(revision as u64))
}

fn session_decode<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let calls = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let endpoint = endpoint(frame)?;
        let answer = json::text("the model's answer", frame.bytes()?)?;
        Ok(session.decode_calls(&endpoint, answer)?)
    })?;
    let mut frame = Writer::new();
    frame.list(&calls, |frame, call| {
        frame.optional_text(call.id.as_deref()).text(&call.name);
        frame.optional_text(call.namespace.as_deref());
        frame.flag(call.is_provider_search);
        frame.text(&call.arguments.text());
    });
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn session_encode<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let frame = env.convert_byte_array(frame)?;
    let (endpoint, turn) = Reader::read(&frame, |frame| {
        let endpoint = endpoint(frame)?;
        let turn = frame.list(|frame| Ok((call(frame)?, frame.optional(answer)?)))?;
        Ok((endpoint, turn))
    })?;
    let turn: Vec<_> = turn
        .iter()
        .map(|(call, answer)| (call, answer.as_ref()))
        .collect();
    let messages = session.encode_results(&endpoint, &turn);
    let mut frame = Writer::new();
    frame.list(&messages, |frame, message| {
        frame.text(&message.to_string());
    });
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn call(frame: &mut Reader<'_>) -> Result<ModelCall> {
    Ok(ModelCall {
        id: frame.optional(|frame| Ok(frame.text()?.to_owned()))?,
        name: frame.text()?.to_owned(),
        is_provider_search: frame.flag()?,
        // An answer repeats nothing more.
        ..ModelCall::default()
    })
}

fn answer<'a>(frame: &mut Reader<'a>) -> Result<CallAnswer<'a>> {
    let mut parts = vec![ResultPart::Text(frame.text()?.to_owned())];
    let is_error = frame.flag()?;
    parts.extend(frame.list(|frame| {
        Ok(ResultPart::Image {
            media_type: frame.text()?.to_owned(),
            base64: frame.text()?.to_owned(),
        })
    })?);
    let found = frame.list(|frame| {
        Ok(FoundTool {
            name: frame.text()?,
            added: frame.flag()?,
        })
    })?;
    Ok(CallAnswer {
        parts,
        is_error,
        found,
    })
}
