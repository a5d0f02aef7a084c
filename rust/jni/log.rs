//! Events of the core arrive in SLF4J, under `dev.toolcrib.native`.
//!
//! Java says which level is wanted; everything below ends here, at the price of one comparison.

use std::{
    cell::RefCell,
    fmt::{self, Write},
    sync::atomic::{AtomicU8, Ordering},
};

use jni::{Env, JavaVM, jni_sig, jni_str};
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    span,
    subscriber::Interest,
};

use crate::{classes, throw::forgiving, wire::Writer};

/// Levels as Java counts them: 0 nothing, 1 error, … 5 trace.
const FILTERS: [LevelFilter; 6] = [
    LevelFilter::OFF,
    LevelFilter::ERROR,
    LevelFilter::WARN,
    LevelFilter::INFO,
    LevelFilter::DEBUG,
    LevelFilter::TRACE,
];

static WANTED: AtomicU8 = AtomicU8::new(0);

thread_local! {
    static KEPT: RefCell<Option<Vec<Record>>> = const { RefCell::new(None) };
}

/// An event, ready to cross.
#[derive(Debug)]
pub struct Record(Vec<u8>);

/// Sends the events of this process to Java from now on.
pub fn install() {
    // Only a second copy of the same statics could have set one before; then that one serves.
    let _ = tracing::subscriber::set_global_default(ToJava);
}

/// Lets events of `level` and above through, as Java counts levels.
pub fn set_level(level: u8) {
    WANTED.store(level.min(5), Ordering::Relaxed);
    tracing::callsite::rebuild_interest_cache();
}

/// Runs `work` on a thread that knows no JVM, and keeps its events for [`replay`].
pub fn keeping<T>(work: impl FnOnce() -> T) -> (T, Vec<Record>) {
    KEPT.set(Some(Vec::new()));
    let value = work();
    (value, KEPT.take().unwrap_or_default())
}

/// Sends events that another thread kept.
pub fn replay(events: Vec<Record>) {
    events.iter().for_each(send);
}

fn wanted() -> LevelFilter {
    FILTERS[usize::from(WANTED.load(Ordering::Relaxed))]
}

struct ToJava;

impl Subscriber for ToJava {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if *metadata.level() <= wanted() {
            Interest::always()
        } else {
            Interest::never()
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= wanted()
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(wanted())
    }

    // The core marks no spans.
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let record = Record::of(event);
        let kept = KEPT.with_borrow_mut(|kept| match kept {
            Some(events) => {
                events.push(Record(record.0.clone()));
                true
            }
            None => false,
        });
        if !kept {
            send(&record);
        }
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

impl Record {
    fn of(event: &Event<'_>) -> Self {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let level = match *event.metadata().level() {
            Level::ERROR => 1,
            Level::WARN => 2,
            Level::INFO => 3,
            Level::DEBUG => 4,
            Level::TRACE => 5,
        };
        let mut frame = Writer::new();
        frame.number(level).text(&fields.message);
        frame.list(&fields.others, |frame, (name, value)| {
            frame.text(name).text(value);
        });
        Self(frame.finish())
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    others: Vec<(&'static str, String)>,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            // Writing to a string cannot fail.
            let _ = write!(self.message, "{value:?}");
        } else {
            self.others.push((field.name(), format!("{value:?}")));
        }
    }
}

/// Hands an event to Java. Losing one is no reason to fail what is being done.
fn send(record: &Record) {
    let Ok(vm) = JavaVM::singleton() else { return };
    // Never attaches: threads that the JVM does not know keep their events.
    if vm.is_thread_attached().unwrap_or(false) {
        let _ = vm.attach_current_thread(|env| {
            forgiving(env, |env| upcall(env, record));
            Ok::<_, jni::errors::Error>(())
        });
    }
}

fn upcall(env: &mut Env<'_>, record: &Record) -> jni::errors::Result<()> {
    let frame = env.byte_array_from_slice(&record.0)?;
    let log = classes::log(env)?;
    env.call_static_method(
        &log,
        jni_str!("event"),
        jni_sig!((byte[]) -> void),
        &[(&frame).into()],
    )?;
    Ok(())
}
