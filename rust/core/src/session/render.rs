//! The declarations of a session, in a provider's wire format.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use rustc_hash::FxHashSet;

use super::{EntryKind, Orders, Session, State, builtin::Builtin};
use crate::{
    name::CODEMODE,
    provider::{
        self, Activation, Declaration, DeclareOptions, Effect, Endpoint, Form, Note, Rejection,
    },
    registry::Registry,
    tool::DeclarationResult,
};

/// What a request declares.
#[derive(Debug)]
pub struct Rendered {
    /// Tells renderings of this process apart; never 0.
    pub revision: u64,
    /// For whom.
    pub endpoint: Endpoint,
    /// The value of the request's `tools` field, as compact JSON. When the active set grows, its
    /// content (without the closing bracket) begins with the content of before, byte for byte.
    pub json: Arc<str>,
    /// The names of the declared tools, in order; Toolcrib's own first.
    pub names: Vec<Arc<str>>,
    /// Names of tools that the caller has lost and that still stand in the list, as names alone,
    /// because the history refers to them.
    pub withdrawn: Vec<Arc<str>>,
    /// Per tool that the model was given, here or in the history, what had to be changed.
    pub notes: Vec<(Arc<str>, Vec<Note>)>,
    /// Active tools that this provider cannot be given, and why.
    pub quarantined: Vec<(Arc<str>, Rejection)>,
    /// Active tools beyond what one request of this provider takes, in order; callable all the same.
    pub left_out: Vec<Arc<str>>,
    seen: Vec<Seen>,
}

/// A tool as the model sees it at one endpoint.
#[derive(Debug)]
pub(super) struct Seen {
    tool: Arc<str>,
    declaration: Arc<DeclarationResult>,
    form: Form,
    pub(super) place: Place,
}

/// Where the model finds the declaration of an active tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the request's tools.
    Listed,
    /// In the request's tools, once the history refers to it.
    Deferred,
    /// In the history alone.
    History,
}

impl Place {
    /// None where the tool is called by another. Only what a search activated can stand in the
    /// history; nothing would bring the rest before the model.
    fn of(endpoint: &Endpoint, kind: EntryKind) -> Option<Self> {
        let found = kind == EntryKind::Search;
        match endpoint.activation() {
            Activation::AnthropicReference if found => Some(Self::Deferred),
            Activation::OpenAiClientSearch | Activation::OpenAiAdditionalTools if found => {
                Some(Self::History)
            }
            Activation::MetaTool => {
                let from_the_start = matches!(kind, EntryKind::Pinned | EntryKind::Direct);
                from_the_start.then_some(Self::Listed)
            }
            _ => Some(Self::Listed),
        }
    }

    fn options(self, endpoint: &Endpoint) -> DeclareOptions {
        let adds = endpoint.activation() == Activation::OpenAiAdditionalTools;
        DeclareOptions {
            strict: endpoint.is_strict(),
            deferred: self != Self::Listed && !adds,
        }
    }
}

impl Seen {
    pub(super) fn declared(&self) -> Option<&Declaration> {
        let declaration = self.declaration.as_ref().as_ref().ok()?;
        match self.form {
            Form::Full => Some(declaration),
            Form::Plain => Some(declaration.plain()),
            Form::LeftOut => None,
        }
    }
}

impl Rendered {
    /// What the model was given of `tool`, in the request or in the history.
    #[must_use]
    pub fn declaration(&self, tool: &str) -> Option<&Declaration> {
        self.seen(tool)?.declared()
    }

    pub(super) fn seen(&self, tool: &str) -> Option<&Seen> {
        self.seen.iter().find(|seen| *seen.tool == *tool)
    }
}

impl Session {
    /// Renders what the model may call now. An unchanged session gives the same object again, as
    /// long as one endpoint is asked for.
    #[must_use]
    pub fn render(&self, endpoint: &Endpoint) -> Arc<Rendered> {
        self.state().rendered_for(endpoint, &self.registry)
    }

    /// Whether [`render`](Self::render) would give the rendering of this revision again, for its
    /// endpoint.
    #[must_use]
    pub fn is_rendered(&self, revision: u64) -> bool {
        let state = self.state();
        let last = state.rendered.as_ref();
        !state.changed && last.is_some_and(|last| last.revision == revision)
    }

    /// The rendering that the model's calls answer: the last one, even if the session has changed
    /// since.
    fn last_rendered(&self, endpoint: &Endpoint) -> Arc<Rendered> {
        let mut state = self.state();
        match &state.rendered {
            Some(last) if last.endpoint == *endpoint => Arc::clone(last),
            _ => state.rendered_for(endpoint, &self.registry),
        }
    }

    /// As [`Session::last_rendered`], but none where nothing was rendered yet and every declaration
    /// has one form only.
    pub(crate) fn answered_rendering(&self, endpoint: &Endpoint) -> Option<Arc<Rendered>> {
        if endpoint.is_strict() {
            return Some(self.last_rendered(endpoint));
        }
        let state = self.state();
        let last = state.rendered.as_ref();
        last.filter(|last| last.endpoint == *endpoint).cloned()
    }
}

impl State {
    pub(super) fn rendered_for(
        &mut self,
        endpoint: &Endpoint,
        registry: &Registry,
    ) -> Arc<Rendered> {
        if let Some(last) = &self.rendered
            && last.endpoint == *endpoint
            && !self.changed
        {
            return Arc::clone(last);
        }
        self.declare(registry);
        let rendered = Arc::new(self.render(endpoint, registry));
        self.orders.add_plain(&rendered);
        self.rendered = Some(Arc::clone(&rendered));
        self.changed = false;
        rendered
    }

    /// Settles the order of declaration: what was declared keeps its place, what is new is appended
    /// in the order of activation.
    fn declare(&mut self, registry: &Registry) {
        let usable = self.usable(registry);
        let State {
            journal, orders, ..
        } = self;
        let Orders {
            declared, places, ..
        } = orders;
        let still: FxHashSet<&Arc<str>> = usable.iter().collect();
        declared.retain(|name| still.contains(name));
        places.retain(|name| still.contains(name) || journal.kind(name) == Some(EntryKind::Search));
        for order in [declared, places] {
            let known: FxHashSet<&Arc<str>> = order.iter().collect();
            let new = usable.iter().filter(|name| !known.contains(name));
            let new: Vec<_> = new.cloned().collect();
            order.extend(new);
        }
    }

    fn render(&self, endpoint: &Endpoint, registry: &Registry) -> Rendered {
        let refers = endpoint.activation() == Activation::AnthropicReference;
        let order = if refers {
            &self.orders.places
        } else {
            &self.orders.declared
        };
        let mut entries: Vec<Entry> = Builtin::of(endpoint).map(Entry::Own).collect();
        let mut quarantined = Vec::new();
        for name in order {
            let kind = self.journal.kind(name);
            let Some(place) = kind.and_then(|kind| Place::of(endpoint, kind)) else {
                continue;
            };
            if **name == *CODEMODE {
                entries.push(Entry::Own(Builtin::codemode()));
                continue;
            }
            let Some(tool) = self.view.tool(name) else {
                if place == Place::Deferred
                    && let Some(tombstone) = endpoint.declare_withdrawn(name, registry.limits())
                {
                    entries.push(Entry::Withdrawn(Arc::clone(name), tombstone));
                }
                continue;
            };
            let options = place.options(endpoint);
            let declaration = tool.declaration(endpoint.target(), options, registry);
            if let Err(rejection) = declaration.as_ref() {
                quarantined.push((Arc::clone(name), rejection.clone()));
                continue;
            }
            entries.push(Entry::Tool(Seen {
                tool: Arc::clone(name),
                declaration,
                form: self.orders.form(name),
                place,
            }));
        }
        let declarations: Vec<_> = entries.iter().map(|e| e.declaration(endpoint)).collect();
        let fitted = provider::fit(&endpoint.budget(), &declarations);
        let fit = |(mut entry, form): (Entry, Form)| {
            match &mut entry {
                Entry::Tool(seen) if form != Form::Full => seen.form = form,
                // What the request has no room for is not named as declared either.
                Entry::Own(_) if form == Form::LeftOut => return None,
                _ => {}
            }
            Some(entry)
        };
        let entries = entries.into_iter().zip(fitted).filter_map(fit).collect();
        Rendered::of(endpoint, entries, quarantined)
    }
}

impl Orders {
    /// What once went out plain stays so: its bytes stand in a cached prefix.
    fn form(&self, name: &Arc<str>) -> Form {
        match self.plain.contains(name) {
            true => Form::Plain,
            false => Form::Full,
        }
    }

    fn add_plain(&mut self, rendered: &Rendered) {
        let plain = rendered.seen.iter().filter(|seen| seen.form == Form::Plain);
        for seen in plain {
            if !self.plain.contains(&seen.tool) {
                self.plain.push(Arc::clone(&seen.tool));
            }
        }
    }
}

/// One element of what is rendered.
enum Entry {
    Own(&'static Builtin),
    Tool(Seen),
    Withdrawn(Arc<str>, Declaration),
}

impl Entry {
    /// What counts against the budgets.
    fn declaration(&self, endpoint: &Endpoint) -> &Declaration {
        match self {
            Self::Own(builtin) => builtin.declaration(endpoint),
            Self::Withdrawn(_, tombstone) => tombstone,
            Self::Tool(seen) => seen.declared().expect("what is rejected is no entry"),
        }
    }

    /// What stands in the request's tools.
    fn listed(&self, endpoint: &Endpoint) -> Option<&Declaration> {
        match self {
            Self::Tool(seen) if seen.place == Place::History => None,
            Self::Tool(seen) => seen.declared(),
            _ => Some(self.declaration(endpoint)),
        }
    }
}

impl Rendered {
    fn of(
        endpoint: &Endpoint,
        entries: Vec<Entry>,
        quarantined: Vec<(Arc<str>, Rejection)>,
    ) -> Self {
        let listed: Vec<_> = entries.iter().filter_map(|e| e.listed(endpoint)).collect();
        let json = match &provider::render(endpoint, &listed).json[..] {
            // A list without tools is still the value of a field.
            "" => {
                let wrapping = endpoint.target().wrapping();
                format!("{}{}", wrapping.prefix, wrapping.suffix).into()
            }
            json => json.into(),
        };
        static LAST: AtomicU64 = AtomicU64::new(0);
        let mut rendered = Self {
            revision: 1 + LAST.fetch_add(1, Ordering::Relaxed),
            endpoint: *endpoint,
            json,
            names: Vec::new(),
            withdrawn: Vec::new(),
            notes: Vec::new(),
            quarantined,
            left_out: Vec::new(),
            seen: Vec::new(),
        };
        for entry in entries {
            match entry {
                Entry::Own(builtin) => {
                    let declaration = builtin.declaration(endpoint);
                    rendered.note(&builtin.name.into(), declaration.notes().to_vec());
                    rendered.names.push(builtin.name.into());
                }
                Entry::Withdrawn(name, _) => rendered.withdrawn.push(name),
                Entry::Tool(seen) => {
                    match seen.declared() {
                        Some(declaration) => {
                            let mut notes = declaration.notes().to_vec();
                            if seen.form == Form::Plain {
                                notes.push(SPENT);
                            }
                            rendered.note(&seen.tool, notes);
                            if seen.place != Place::History {
                                rendered.names.push(Arc::clone(&seen.tool));
                            }
                        }
                        None => rendered.left_out.push(Arc::clone(&seen.tool)),
                    }
                    rendered.seen.push(seen);
                }
            }
        }
        rendered
    }

    fn note(&mut self, tool: &Arc<str>, notes: Vec<Note>) {
        if !notes.is_empty() {
            self.notes.push((Arc::clone(tool), notes));
        }
    }
}

const SPENT: Note = Note {
    pointer: String::new(),
    what: "strict",
    why: "the request's budget for strict declarations is spent",
    effect: Effect::Rewritten,
};
