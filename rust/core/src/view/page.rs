use std::sync::Arc;

use super::View;
use crate::{Error, error::Result, name, tool::Tool};

/// Which part of a view to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// Where the previous page ended; from the start without it.
    pub cursor: Option<String>,
    /// Most tools on the page; at least one is always given where there is one.
    pub limit: usize,
}

/// One page of a view, sorted by name.
#[derive(Debug, Clone)]
pub struct Page {
    /// The tools.
    pub tools: Vec<Arc<Tool>>,
    /// Where the next page starts; none on the last page.
    pub next_cursor: Option<String>,
}

impl View {
    /// One page of the tools, sorted by name.
    ///
    /// The cursor is the last name of the page before, so it stays right when tools come and go:
    /// nothing is listed twice, and nothing that was there all the time is left out.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if the cursor is none that a page can have.
    pub fn page(&self, request: &PageRequest) -> Result<Page> {
        let cursor = request.cursor.as_deref();
        if cursor.is_some_and(|cursor| !name::is_public_name(cursor)) {
            let message = "the cursor is none of a page: give the one of the page before, or none";
            return Err(Error::InvalidArgument(message.into()));
        }
        let slots = self.sorted();
        let start = match cursor {
            Some(cursor) => slots.partition_point(|slot| self.name(*slot) <= Some(cursor)),
            None => 0,
        };
        let end = slots.len().min(start.saturating_add(request.limit.max(1)));
        let tools: Vec<_> = slots[start..end]
            .iter()
            .filter_map(|slot| self.slot_tool(*slot).cloned())
            .collect();
        let last = tools.last().map(|tool| tool.name().to_string());
        Ok(Page {
            tools,
            next_cursor: last.filter(|_| end < slots.len()),
        })
    }
}
