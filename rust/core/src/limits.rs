//! Everything bounded is bounded here, by name, with a default that suits production.

/// Limits of one registry and of the sessions opened on it.
///
/// Sizes are bytes of UTF-8 unless the name says otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Most sources in a registry.
    pub max_sources: usize,
    /// Most tools in a registry, over all sources.
    pub max_tools: usize,
    /// Largest `tools/list` page accepted.
    pub max_tools_list_bytes: usize,
    /// Largest single tool definition, schemas included.
    pub max_tool_bytes: usize,
    /// Longest tool or source description, title or instructions.
    pub max_description_bytes: usize,
    /// Longest source name or a tool's own name.
    pub max_name_bytes: usize,
    /// Deepest nesting of objects and arrays in any JSON that is read; 127 in any case, which is as
    /// deep as JSON can be read at all.
    pub max_json_depth: usize,
    /// Most tags or keywords on one tool.
    pub max_tags: usize,
    /// Longest domain, tag or keyword.
    pub max_tag_bytes: usize,
    /// Deepest nesting of `and`, `or`, `not` in a selection.
    pub max_selection_depth: usize,
    /// Most names and terms in one selection.
    pub max_selection_terms: usize,
    /// Longest search query; the rest is ignored, not refused.
    pub max_query_bytes: usize,
    /// Hits of a search when the caller names no limit.
    pub default_search_limit: usize,
    /// Most hits of one search, whatever the caller asks for.
    pub max_search_limit: usize,
    /// Most tools in one session's active set.
    pub max_active_tools: usize,
    /// Most marks in one session's journal; other entries are bounded by the active set.
    pub max_marks: usize,
    /// Longest position (turn or message id) in a journal entry.
    pub max_position_bytes: usize,
    /// Largest session snapshot accepted by restore. Unless other limits are raised no session
    /// outgrows it.
    pub max_snapshot_bytes: usize,
    /// What the scripts of one session may have stored, keys and values together, and 64 bytes for
    /// each key. What was replaced is kept for going back, as much of it again.
    pub max_stored_bytes: usize,
    /// Largest answer of a model that is read for its calls.
    pub max_answer_bytes: usize,
    /// Largest argument object of one call.
    pub max_arguments_bytes: usize,
    /// Most problems reported for one invalid call.
    pub max_problems: usize,
    /// Longest argument value repeated in a problem.
    pub max_problem_value_bytes: usize,
    /// Most steps that checking the arguments of one call may take, estimated from above before
    /// it starts; a step is about 0.1 µs. A pattern takes a tenth of a step for each byte of the
    /// text and each state that it may be in there.
    pub max_validation_steps: u64,
    /// Longest part of a result that goes to the model.
    pub preview_bytes: usize,
    /// Largest result of one call.
    pub max_result_bytes: usize,
    /// Largest declaration of one tool for one provider.
    pub max_declaration_bytes: usize,
    /// Compiled argument validators kept, over all tools.
    pub validator_cache: usize,
    /// What those validators may take, estimated by subschemas and patterns; one that takes more
    /// than a sixteenth is compiled for each call.
    pub validator_cache_bytes: usize,
    /// Views kept for rights that no open session has.
    pub cached_views: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_sources: 10_000,
            max_tools: 1_000_000,
            max_tools_list_bytes: 64 << 20,
            max_tool_bytes: 1 << 20,
            max_description_bytes: 64 << 10,
            max_name_bytes: 512,
            max_json_depth: 64,
            max_tags: 64,
            max_tag_bytes: 128,
            max_selection_depth: 32,
            max_selection_terms: 1_000_000,
            max_query_bytes: 2 << 10,
            default_search_limit: 5,
            max_search_limit: 20,
            max_active_tools: 512,
            max_marks: 4_096,
            max_position_bytes: 256,
            max_snapshot_bytes: 4 << 20,
            max_stored_bytes: 1 << 20,
            max_answer_bytes: 16 << 20,
            max_arguments_bytes: 1 << 20,
            max_problems: 8,
            max_problem_value_bytes: 64,
            max_validation_steps: 20_000_000,
            preview_bytes: 4 << 10,
            max_result_bytes: 64 << 20,
            max_declaration_bytes: 256 << 10,
            validator_cache: 4_096,
            validator_cache_bytes: 256 << 20,
            cached_views: 256,
        }
    }
}
