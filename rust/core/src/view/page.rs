use std::sync::Arc;

use super::View;
use crate::tool::Tool;

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
    #[must_use]
    pub fn page(&self, request: &PageRequest) -> Page {
        let slots = self.sorted();
        let start = match &request.cursor {
            Some(cursor) => slots.partition_point(|slot| self.name(*slot) <= Some(cursor)),
            None => 0,
        };
        let end = slots.len().min(start.saturating_add(request.limit.max(1)));
        let tools: Vec<_> = slots[start..end]
            .iter()
            .filter_map(|slot| self.slot_tool(*slot).cloned())
            .collect();
        let last = tools.last().map(|tool| tool.name().to_string());
        Page {
            tools,
            next_cursor: last.filter(|_| end < slots.len()),
        }
    }
}
