//! Limits by name, as Java's `Limit` has them.

use toolcrib_core::Limits;

use crate::{
    error::Result,
    wire::{Reader, Writer},
};

macro_rules! limits {
    ($($name:ident),* $(,)?) => {
        /// Sets one limit; false where there is none of this name.
        fn set(limits: &mut Limits, name: &str, value: u64) -> bool {
            // What no address space holds is no limit, and this fits the type of every field.
            let value = value.min(isize::MAX as u64);
            match name {
                $(stringify!($name) => limits.$name = value as _,)*
                _ => return false,
            }
            true
        }

        fn all(limits: &Limits) -> Vec<(&'static str, u64)> {
            vec![$((stringify!($name), limits.$name as u64)),*]
        }
    };
}

limits! {
    max_sources, max_tools, max_tools_list_bytes, max_tool_bytes, max_description_bytes,
    max_name_bytes, max_json_depth, max_tags, max_tag_bytes, max_selection_depth,
    max_selection_terms, max_query_bytes, default_search_limit, max_search_limit, max_active_tools,
    max_marks, max_position_bytes, max_snapshot_bytes, max_answer_bytes, max_arguments_bytes,
    max_problems, max_problem_value_bytes, max_validation_steps, preview_bytes, max_result_bytes, max_declaration_bytes,
    validator_cache, cached_views,
}

/// Reads the limits that differ from the defaults.
pub fn read(frame: &mut Reader<'_>) -> Result<Limits> {
    let mut limits = Limits::default();
    frame.list(|frame| {
        let name = frame.text()?;
        if !set(&mut limits, name, frame.number()?) {
            return Err(frame.broken("an unknown limit"));
        }
        Ok(())
    })?;
    Ok(limits)
}

/// Writes all limits in force.
pub fn write(frame: &mut Writer, limits: &Limits) {
    frame.list(all(limits), |frame, (name, value)| {
        frame.text(name).number(value);
    });
}
