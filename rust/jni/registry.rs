//! Natives of registries.

use jni::{
    Env, NativeMethod,
    objects::{JByteArray, JClass},
    sys::{jboolean, jlong},
};
use toolcrib_core::{json, registry::Registry, view::PageRequest};

use crate::{
    error::{Error, Result},
    frames,
    handles::Handles,
    library::native,
    limits, stack,
    throw::Throw,
    wire::{Reader, Writer},
};

/// The open registries.
pub static REGISTRIES: Handles<Registry> = Handles::new(0, "tool registry");

/// The natives of this module.
pub const NATIVES: &[NativeMethod] = &[
    native!(fn registry_create(frame: jbyte[]) -> jlong),
    native!(fn registry_close(registry: jlong)),
    native!(fn registry_limits(registry: jlong) -> jbyte[]),
    native!(fn registry_put_all(registry: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn registry_expect(registry: jlong, frame: jbyte[]) -> jboolean),
    native!(fn registry_expected(registry: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn registry_remove(registry: jlong, source: jbyte[]) -> jboolean),
    native!(fn registry_info(registry: jlong) -> jbyte[]),
    native!(fn registry_sources(registry: jlong) -> jbyte[]),
    native!(fn registry_reached_sources(registry: jlong, frame: jbyte[]) -> jbyte[]),
    native!(fn registry_list(registry: jlong, frame: jbyte[]) -> jbyte[]),
];

fn registry_create(env: &mut Env<'_>, _: JClass<'_>, frame: JByteArray<'_>) -> Result<jlong> {
    let frame = env.convert_byte_array(frame)?;
    let (scripts, limits) =
        Reader::read(&frame, |frame| Ok((frame.flag()?, limits::read(frame)?)))?;
    let registry = Registry::with_deep_work(limits, stack::deep_work);
    Ok(REGISTRIES.insert(if scripts {
        registry.with_scripts()
    } else {
        registry
    }))
}

fn registry_close(_: &mut Env<'_>, _: JClass<'_>, registry: jlong) -> Result<()> {
    REGISTRIES.close(registry);
    Ok(())
}

fn registry_limits<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    registry: jlong,
) -> Result<JByteArray<'local>> {
    let registry = REGISTRIES.get(registry)?;
    let mut frame = Writer::new();
    limits::write(&mut frame, registry.limits());
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn registry_put_all<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    registry: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let registry = REGISTRIES.get(registry)?;
    let mut sources = Vec::new();
    let unreadable = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        frame.list(|frame| {
            let source = Reader::read(frame.bytes()?, frames::source_definition);
            Ok(source.map(|source| sources.push(source)).err())
        })
    })?;
    let mut reports = stack::with_large_stack(|| registry.put_all(sources)).into_iter();
    let mut frame = Writer::new();
    frame.list(unreadable, |frame, unreadable| {
        let result = match unreadable {
            Some(error) => Err(error),
            None => reports
                .next()
                .expect("an answer for each source")
                .map_err(Error::from),
        };
        frames::publish_result(frame, &result);
    });
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn registry_expect(
    env: &mut Env<'_>,
    _: JClass<'_>,
    registry: jlong,
    frame: JByteArray<'_>,
) -> Result<jboolean> {
    let registry = REGISTRIES.get(registry)?;
    let source = Reader::read(&env.convert_byte_array(frame)?, frames::expected_source)?;
    Ok(registry.expect(source)?)
}

fn registry_expected<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    registry: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let registry = REGISTRIES.get(registry)?;
    let rights = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        frames::selection(frame, registry.limits())
    })?;
    let expected = registry.snapshot().expected(&rights);
    let names = expected.iter().map(|source| &source.name);
    Ok(env.byte_array_from_slice(&Writer::new().texts(names).finish())?)
}

fn registry_remove(
    env: &mut Env<'_>,
    _: JClass<'_>,
    registry: jlong,
    source: JByteArray<'_>,
) -> Result<jboolean> {
    let registry = REGISTRIES.get(registry)?;
    let source = env.convert_byte_array(source)?;
    Ok(registry.remove(json::text("the source name", &source)?))
}

fn registry_info<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    registry: jlong,
) -> Result<JByteArray<'local>> {
    let snapshot = REGISTRIES.get(registry)?.snapshot();
    let quarantined = snapshot
        .sources()
        .map(|source| source.quarantined().len())
        .sum();
    let mut frame = Writer::new();
    frame
        .number(snapshot.version())
        .count(snapshot.sources().count());
    frame.count(snapshot.len()).count(quarantined);
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn registry_sources<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    registry: jlong,
) -> Result<JByteArray<'local>> {
    let snapshot = REGISTRIES.get(registry)?.snapshot();
    let sources: Vec<_> = snapshot.sources().collect();
    let mut frame = Writer::new();
    frame.list(sources, |frame, source| frames::source(frame, source));
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn registry_reached_sources<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    registry: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let registry = REGISTRIES.get(registry)?;
    let rights = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        frames::selection(frame, registry.limits())
    })?;
    let mut frame = Writer::new();
    frame.list(
        registry.view(&rights).reached_sources(),
        |frame, reached| {
            let source = &reached.source;
            frame
                .text(source.name())
                .text(source.description())
                .text(source.instructions());
            frame
                .count(reached.direct)
                .count(reached.codemode)
                .count(reached.deferred);
        },
    );
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn registry_list<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    registry: jlong,
    frame: JByteArray<'local>,
) -> Result<JByteArray<'local>> {
    let registry = REGISTRIES.get(registry)?;
    let (rights, request) = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let rights = frames::selection(frame, registry.limits())?;
        let cursor = frame.optional(|frame| Ok(frame.text()?.to_owned()))?;
        let limit = usize::try_from(frame.number()?).unwrap_or(usize::MAX);
        Ok((rights, PageRequest { cursor, limit }))
    })?;
    let view = registry.view(&rights);
    let page = view.page(&request)?;
    let mut frame = Writer::new();
    frame.list(&page.tools, |frame, tool| {
        frames::tool(frame, tool);
        frame.text(tool.input_schema());
        frame
            .optional_text(tool.output_schema())
            .optional_text(tool.meta());
    });
    frame
        .count(view.len())
        .optional_text(page.next_cursor.as_deref());
    Ok(env.byte_array_from_slice(&frame.finish())?)
}
