use std::borrow::Cow;

use crate::schema::keyword::Keyword;
use crate::schema::merge::Conjunction;
use crate::schema::node::Node;
use crate::schema::note::Effect;
use crate::schema::profile::References;
use crate::schema::rewrite::{MAX_LEVEL, Rewriter, Stop, shell};
use crate::schema::words::Words;
use crate::schema::work::whole;

/// How often a definition is written out inside itself.
const MAX_UNROLLED: usize = 2;

impl<'a> Rewriter<'a> {
    /// The schema with its reference and `allOf` written out, where the profile wants that.
    pub(super) fn resolve<'n>(&mut self, source: &'n Node) -> Result<Cow<'n, Node>, Stop>
    where
        'a: 'n,
    {
        self.flatten(source, false)
    }

    /// The same, wanted or not.
    pub(super) fn flatten<'n>(
        &mut self,
        source: &'n Node,
        forced: bool,
    ) -> Result<Cow<'n, Node>, Stop>
    where
        'a: 'n,
    {
        let definition = source
            .reference
            .as_ref()
            .and_then(|n| self.by_name.get(n.as_ref()));
        let definition = definition.copied();
        let write_out = definition.is_some() && (forced || !self.may_refer(source));
        let merge = source.has(Keyword::AllOf) && (forced || self.profile.merge_all_of);
        if !write_out && !merge {
            if let Some(at) = definition
                && self.seen.insert(at)
            {
                self.used.push(at);
            }
            return Ok(Cow::Borrowed(source));
        }
        self.left = self.left.checked_sub(1).ok_or(Stop::TooLarge)?;
        self.level += 1;
        if self.level > MAX_LEVEL * 2 {
            return Err(Stop::TooLarge);
        }
        let made = self.written_out(source, definition);
        self.level -= 1;
        made
    }

    /// Whether the profile lets this reference stand, with what stands beside it.
    fn may_refer(&self, node: &Node) -> bool {
        let document = self.document;
        let target = node
            .reference
            .as_ref()
            .and_then(|n| self.by_name.get(n.as_ref()));
        if self.inline || target.is_some_and(|at| document.definitions[*at].1.never) {
            return false;
        }
        match self.profile.references {
            References::Keep => true,
            References::Inline => false,
            References::KeepAlone | References::KeepAnnotated => node.is_bare_reference(),
            References::KeepAcyclic => node.is_bare_reference() && node.parts().is_empty(),
        }
    }

    fn written_out<'n>(
        &mut self,
        source: &'n Node,
        definition: Option<usize>,
    ) -> Result<Cow<'n, Node>, Stop>
    where
        'a: 'n,
    {
        let document: &'a crate::schema::read::Document = self.document;
        let mut made: Option<Cow<'n, Node>> = None;
        if let Some(at) = definition {
            let target = &document.definitions[at].1;
            let repeated = self.open.iter().filter(|open| **open == at).count();
            let resolved = if repeated < MAX_UNROLLED {
                self.open.push(at);
                self.flatten(target, true)?
            } else {
                self.must_not_be_strict("$ref", "recurs beside other keywords")?;
                self.notes
                    .add("$ref", "recursive, cut here", Effect::Loosened);
                let mut words = Words::default();
                let mut cut = shell(target, &mut words);
                if let Some(text) = words.behind(cut.text(Keyword::Description)) {
                    cut.set_text(Keyword::Description, text);
                }
                Cow::Owned(cut)
            };
            if source.types.is_any() && source.parts().is_empty() {
                return Ok(resolved);
            }
            made = Some(resolved);
        }
        let mut own = source.without(Keyword::AllOf);
        own.reference = None;
        self.work.spend(whole(&own));
        let mut conjunction = Conjunction::new(own, self.work);
        if let Some(made) = made {
            conjunction.add(self.own(made));
        }
        for member in source.many(Keyword::AllOf) {
            if self.work.is_spent() {
                return Err(Stop::TooMuchWork);
            }
            let member = self.flatten(member, true)?;
            conjunction.add(self.own(member));
        }
        let (own, lost) = conjunction.finish();
        for keyword in lost {
            self.must_not_be_strict(keyword.name(), "cannot be merged")?;
            self.notes.add(
                keyword.name(),
                "cannot be merged into one schema",
                Effect::Loosened,
            );
        }
        Ok(Cow::Owned(own))
    }
}
