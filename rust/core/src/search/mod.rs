//! Keyword search over tools: one index for everybody, scored within each caller's own view.
//!
//! Read in this order:
//!
//! * `fields`: what of a tool is searched, and every number of the ranking function.
//! * [`analyze`]: from text to terms; `document`, `entry`: from a tool to its terms.
//! * `block`, `block_writer`, `slot_set`: the inverted index, in immutable blocks of tools.
//! * `index`: all blocks, and changes that rewrite only the blocks they touch.
//! * `score`: what an occurrence of a word is worth; `bound`: what it is worth at most.
//! * `scope`: a view of the index: its tools and statistics counted over them alone.
//! * `plan`, `rank`: from a query to the best tools.
//! * `explain`, `near`: where a score comes from; names that resemble a text.
//!
//! The score is BM25F: over the words of the query the sum of *inverse document frequency* times
//! the *saturated, weighted count* of the word in the tool's fields. All its statistics are those
//! of the view, so a caller's results are, bit for bit, what an index of the caller's own tools
//! alone would give.

pub mod analyze;
mod block;
mod block_writer;
mod bound;
mod document;
mod entry;
mod expand;
mod explain;
mod fields;
mod index;
mod near;
mod plan;
mod rank;
mod scope;
mod score;
mod slot_set;

pub use document::Document;
pub use explain::{Contribution, Explanation};
pub use fields::{Field, RELATIVE_FLOOR};
pub use index::{IndexEditor, SearchIndex};
pub use rank::{Hit, Query};
pub use scope::Scope;
