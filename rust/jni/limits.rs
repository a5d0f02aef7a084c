//! Limits by name, as Java's `Limit` has them.

use toolcrib_codemode::ScriptLimits;
use toolcrib_core::Limits;

use crate::{
    error::Result,
    wire::{Reader, Writer},
};

macro_rules! limits {
    ($read:ident, $write:ident, $limits:ident: $($name:ident),* $(,)?) => {
        /// Reads the limits that differ from the defaults.
        pub fn $read(frame: &mut Reader<'_>) -> Result<$limits> {
            let mut limits = $limits::default();
            frame.list(|frame| {
                let name = frame.text()?;
                // What no address space holds is no limit, and this fits the type of every field.
                let value = frame.number()?.min(isize::MAX as u64);
                match name {
                    $(stringify!($name) => limits.$name = value as _,)*
                    _ => return Err(frame.broken("an unknown limit")),
                }
                Ok(())
            })?;
            Ok(limits)
        }

        /// Writes all limits in force.
        pub fn $write(frame: &mut Writer, limits: &$limits) {
            let all = [$((stringify!($name), limits.$name as u64)),*];
            frame.list(all, |frame, (name, value)| {
                frame.text(name).number(value);
            });
        }
    };
}

limits! {
    read, write, Limits:
    max_sources, max_tools, max_tools_list_bytes, max_tool_bytes, max_description_bytes,
    max_name_bytes, max_json_depth, max_tags, max_tag_bytes, max_selection_depth,
    max_selection_terms, max_query_bytes, default_search_limit, max_search_limit, max_active_tools,
    max_marks, max_position_bytes, max_snapshot_bytes, max_stored_bytes, max_answer_bytes,
    max_arguments_bytes, max_problems, max_problem_value_bytes, max_validation_steps, preview_bytes,
    max_result_bytes, max_declaration_bytes,
    validator_cache, validator_cache_bytes, cached_views,
}

limits! {
    read_script, write_script, ScriptLimits:
    script_threads, script_queue, script_queue_millis, script_run_millis, script_wait_millis,
    script_bytes, script_memory_bytes, script_stack_bytes, script_calls, script_parallel_calls,
    script_result_bytes, script_output_bytes, script_preview_bytes, script_store_bytes,
    script_listed_tools,
}
