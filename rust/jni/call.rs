//! Natives of calls. Between the two Java decides and executes; nothing here waits for it.

use jni::{
    Env, NativeMethod,
    objects::{JByteArray, JClass},
    sys::{jint, jlong},
};
use toolcrib_core::{
    Limits,
    call::{CallRequest, Prepared, Preview, Refusal},
    json,
    provider::Endpoint,
    session::Session,
};

use crate::{
    error::Result,
    frames,
    library::native,
    provider,
    session::SESSIONS,
    throw::Throw,
    wire::{Reader, Writer},
};

/// The natives of this module.
pub const NATIVES: &[NativeMethod] = &[
    native!(fn call_prepare(session: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn call_preview(bytes: jint, text: jbyte[]) -> jbyte[]),
];

fn call_prepare<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    session: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let session = SESSIONS.get(session)?;
    let (endpoint, prepared, as_given) = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let request = request(frame)?;
        let prepared = session.prepare(&request)?;
        let as_given =
            matches!(&prepared, Prepared::Ready(call) if call.arguments == request.arguments);
        Ok((request.endpoint, prepared, as_given))
    })?;
    let mut frame = Writer::new();
    write(&mut frame, &prepared, as_given, endpoint.as_ref(), &session);
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

/// Reads a call as the model made it.
pub fn request<'a>(frame: &mut Reader<'a>) -> Result<CallRequest<'a>> {
    Ok(CallRequest {
        name: frame.text()?,
        arguments: frame.text()?,
        endpoint: frame.optional(provider::endpoint)?,
        position: frame.optional(Reader::text)?,
        allow_inactive: frame.flag()?,
    })
}

/// Writes what came of a call; arguments that are `as_given` are not written, as Java has them.
fn write(
    frame: &mut Writer,
    prepared: &Prepared,
    as_given: bool,
    endpoint: Option<&Endpoint>,
    session: &Session,
) {
    match prepared {
        Prepared::Ready(call) => {
            frame.number(0);
            frames::tool(frame, &call.tool);
            frame.number(call.revision);
            frame.optional_text((!as_given).then_some(&*call.arguments));
        }
        Prepared::Searched { outcome, text } => {
            frame.number(1);
            frames::outcome(frame, outcome, text);
        }
        Prepared::Described(description) => {
            frame.number(5).text(&description.text);
        }
        Prepared::Script(code) => {
            frame.number(6).text(code);
        }
        Prepared::Refused(refusal) => {
            frame.number(match refusal {
                Refusal::InvalidArguments { .. } => 2,
                Refusal::NotFound { .. } => 3,
                Refusal::NotActive { .. } => 4,
            });
            frame.text(&refusal.text_at(endpoint));
            if let Refusal::InvalidArguments { name, .. } | Refusal::NotActive { name, .. } =
                refusal
            {
                let view = session.view();
                frame.optional(view.tool(name), |frame, tool| frames::tool(frame, tool));
            }
            if let Refusal::InvalidArguments { problems, .. } = refusal {
                frame.list(problems, |frame, problem| {
                    frame.text(&problem.path).text(&problem.keyword);
                    frame.text(&problem.message).text(&problem.allowed);
                });
            }
        }
    }
}

fn call_preview<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    bytes: jint,
    text: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let text = env.convert_byte_array(text)?;
    let mut limits = Limits::default();
    limits.preview_bytes = usize::try_from(bytes).unwrap_or(0);
    let preview = Preview::of(json::text("the result", &text)?, &limits);
    let mut frame = Writer::new();
    frame.text(&preview.text).flag(preview.truncated);
    Ok(env.byte_array_from_slice(&frame.finish())?)
}
