//! What bounds a script, by name, with defaults that suit production.

/// Limits of one [`Pool`](crate::Pool) and of the scripts in it.
///
/// Sizes are bytes, texts measured as UTF-8; times are milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptLimits {
    /// Scripts that run at the same time, each on a thread of its own.
    pub script_threads: usize,
    /// Scripts that wait for a thread; one more is refused.
    pub script_queue: usize,
    /// How long a script waits for a thread before it is given up.
    pub script_queue_millis: u64,
    /// How long a script may run, the time that it waits for tools left out.
    pub script_run_millis: u64,
    /// How long a script may wait for tools, all its waiting together.
    pub script_wait_millis: u64,
    /// Longest script.
    pub script_bytes: usize,
    /// Memory of one script: its values, its code and what the engine keeps for them; no less than
    /// 1 MiB whatever is set.
    pub script_memory_bytes: usize,
    /// Stack of a script's own calls; no more than 4 MiB whatever is set.
    pub script_stack_bytes: usize,
    /// Calls of tools that one script may make.
    pub script_calls: usize,
    /// Calls of tools that one script has open at the same time; further ones wait.
    pub script_parallel_calls: usize,
    /// Largest result of one call that a script may read.
    pub script_result_bytes: usize,
    /// What a script may write and return before it is stopped.
    pub script_output_bytes: usize,
    /// What the model reads of that: its head and its tail. About 10,000 tokens.
    pub script_preview_bytes: usize,
    /// What one script may store for later ones: keys and values together, and 64 bytes for each key.
    pub script_store_bytes: usize,
    /// Tools that `ALL_TOOLS` lists, the first by name.
    pub script_listed_tools: usize,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            script_threads: 16,
            script_queue: 256,
            script_queue_millis: 30_000,
            script_run_millis: 30_000,
            script_wait_millis: 300_000,
            script_bytes: 64 << 10,
            script_memory_bytes: 64 << 20,
            script_stack_bytes: 512 << 10,
            script_calls: 64,
            script_parallel_calls: 8,
            script_result_bytes: 16 << 20,
            script_output_bytes: 1 << 20,
            script_preview_bytes: 40_000,
            script_store_bytes: 1 << 20,
            script_listed_tools: 1_000,
        }
    }
}
