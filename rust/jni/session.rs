//! Natives of sessions.

use jni::{
    Env, NativeMethod,
    objects::{JByteArray, JClass},
    sys::jlong,
};
use toolcrib_core::session::{Entry, EntryKind, SearchRequest, Session, Standing, Step};

use crate::{
    call,
    error::Result,
    frames,
    handles::Handles,
    library::native,
    registry::REGISTRIES,
    throw::Throw,
    wire::{Reader, Writer},
};

/// The open sessions.
pub static SESSIONS: Handles<Session> = Handles::new(1, "tool session");

/// The natives of this module.
pub const NATIVES: &[NativeMethod] = &[
    native!(fn session_open(registry: jlong, frame: jbyte[]) -> jlong),
    native!(fn session_restore(registry: jlong, frame: jbyte[]) -> jlong),
    native!(fn session_fork(session: jlong) -> jlong),
    native!(fn session_close(session: jlong)),
    native!(fn session_authorize(session: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn session_awaits(session: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn session_search(session: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn session_activate(session: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn session_state(session: jlong) -> jbyte[]),
    native!(fn session_checkpoint(session: jlong, frame: jbyte[]) -> jlong),
    native!(fn session_rewind(session: jlong, frame: jbyte[])),
    native!(fn session_snapshot(session: jlong) -> jbyte[]),
];

fn session_open(
    env: &mut Env<'_>,
    _: JClass<'_>,
    registry: jlong,
    frame: JByteArray<'_>,
) -> Result<jlong> {
    let registry = REGISTRIES.get(registry)?;
    let session = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let rights = frames::selection(frame, registry.limits())?;
        let scripts = frame.optional(Reader::flag)?;
        let scripts = scripts.unwrap_or(registry.has_scripts());
        let pinned = frame.list(Reader::text)?;
        Ok(Session::open_with(&registry, rights, &pinned, scripts)?)
    })?;
    Ok(SESSIONS.insert(session))
}

fn session_restore(
    env: &mut Env<'_>,
    _: JClass<'_>,
    registry: jlong,
    frame: JByteArray<'_>,
) -> Result<jlong> {
    let registry = REGISTRIES.get(registry)?;
    let session = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let rights = frames::selection(frame, registry.limits())?;
        let scripts = frame.optional(Reader::flag)?;
        let scripts = scripts.unwrap_or(registry.has_scripts());
        let snapshot = frame.bytes()?;
        Ok(Session::restore_with(&registry, rights, snapshot, scripts)?)
    })?;
    Ok(SESSIONS.insert(session))
}

fn session_fork(_: &mut Env<'_>, _: JClass<'_>, session: jlong) -> Result<jlong> {
    Ok(SESSIONS.insert(SESSIONS.get(session)?.fork()))
}

fn session_close(_: &mut Env<'_>, _: JClass<'_>, session: jlong) -> Result<()> {
    SESSIONS.close(session);
    Ok(())
}

fn session_authorize<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let rights = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        frames::selection(frame, session.registry().limits())
    })?;
    let lost = session.authorize(rights)?;
    Ok(env.byte_array_from_slice(&Writer::new().texts(lost).finish())?)
}

fn session_awaits<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let awaited = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        match frame.number()? {
            0 => Ok(session.awaits(&Step::Render)),
            1 => Ok(session.awaits(&Step::Search)),
            2 => Ok(session.awaits(&Step::Call(&call::request(frame)?))),
            _ => Err(frame.broken("an unknown step")),
        }
    })?;
    Ok(env.byte_array_from_slice(&Writer::new().texts(awaited).finish())?)
}

fn session_search<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let outcome = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let query = frame.text()?;
        let limit = frame.optional(Reader::number)?;
        let position = frame.optional(Reader::text)?;
        let within =
            frame.optional(|frame| frames::selection(frame, session.registry().limits()))?;
        Ok(session.search(&SearchRequest {
            query,
            limit: limit.map(|limit| i64::try_from(limit).unwrap_or(i64::MAX)),
            position,
            within: within.as_deref(),
        })?)
    })?;
    let mut frame = Writer::new();
    frames::outcome(&mut frame, &outcome, &outcome.text());
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn session_activate<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let added = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let names = frame.list(Reader::text)?;
        let position = frame.optional(Reader::text)?;
        Ok(session.activate(&names, position)?)
    })?;
    Ok(env.byte_array_from_slice(&Writer::new().texts(added).finish())?)
}

fn session_state<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
) -> Result<JByteArray<'local>> {
    let state = SESSIONS.get(session)?.describe();
    let mut frame = Writer::new();
    frame.list(&state.tools, |frame, (name, standing)| {
        frame.text(name).number(match standing {
            Standing::Active => 0,
            Standing::Pending => 1,
            Standing::Withheld => 2,
        });
    });
    frame.list(&state.journal, entry);
    frame.count(state.authorized).number(state.version);
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn entry(frame: &mut Writer, entry: &Entry) {
    frame.number(match entry.kind {
        EntryKind::Pinned => 0,
        EntryKind::Direct => 1,
        EntryKind::Search => 2,
        EntryKind::Activate => 3,
        EntryKind::Mark => 4,
        EntryKind::Stored => 5,
    });
    frame
        .optional_text(entry.position.as_deref())
        .texts(&entry.names);
}

fn session_checkpoint(
    env: &mut Env<'_>,
    _: JClass<'_>,
    session: jlong,
    frame: JByteArray<'_>,
) -> Result<jlong> {
    let session = SESSIONS.get(session)?;
    let checkpoint = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        Ok(session.checkpoint(frame.optional(Reader::text)?)?)
    })?;
    Ok(checkpoint as jlong)
}

fn session_rewind(
    env: &mut Env<'_>,
    _: JClass<'_>,
    session: jlong,
    frame: JByteArray<'_>,
) -> Result<()> {
    let session = SESSIONS.get(session)?;
    Reader::read(&env.convert_byte_array(frame)?, |frame| {
        match frame.optional(Reader::text)? {
            Some(position) => session.rewind_to(position)?,
            None => session.rewind(frame.number()?)?,
        }
        Ok(())
    })
}

fn session_snapshot<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
) -> Result<JByteArray<'local>> {
    let snapshot = SESSIONS.get(session)?.snapshot();
    Ok(env.byte_array_from_slice(&snapshot)?)
}
