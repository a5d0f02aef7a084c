package dev.toolcrib;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What executes the tools of each source, kept in step with what the native side publishes. */
final class SourceExecutors {

  // While a source is being replaced both stand here: a call may have been prepared with either.
  private record Entry(@Nullable ToolSource published, @Nullable ToolSource incoming) {}

  private final Map<String, Entry> sources = new ConcurrentHashMap<>();
  private final ReentrantLock publishing = new ReentrantLock();

  /**
   * What executes a tool that had been prepared with this revision of its source, or with an
   * earlier one that is replaced by now; null if nothing does.
   */
  @Nullable ToolExecutor find(ToolInfo tool, long revision) {
    Entry entry = sources.get(tool.source());
    if (entry == null) {
      return null;
    }
    boolean isIncoming = entry.incoming != null && entry.incoming.revision() == revision;
    ToolSource source = isIncoming ? entry.incoming : entry.published;
    return source == null ? null : source.executorOf(tool.localName());
  }

  /**
   * Runs {@code publish}, which answers for each source in their order; one that was not taken, or
   * a throw, leaves what there was.
   */
  List<PublishResult> replace(List<ToolSource> incoming, Supplier<List<PublishResult>> publish) {
    publishing.lock();
    try {
      Map<String, ToolSource> kept = new HashMap<>();
      for (ToolSource source : incoming) {
        Entry former = sources.get(source.name());
        ToolSource published = former == null ? null : former.published;
        if (published != null) {
          kept.put(source.name(), published);
        }
        sources.put(source.name(), new Entry(published, source));
      }
      try {
        List<PublishResult> results = publish.get();
        for (int i = 0; i < results.size(); i++) {
          if (results.get(i).report() != null) {
            kept.put(incoming.get(i).name(), incoming.get(i));
          }
        }
        return results;
      } finally {
        incoming.forEach(source -> settle(source.name(), kept.get(source.name())));
      }
    } finally {
      publishing.unlock();
    }
  }

  boolean remove(String source, Supplier<Boolean> remove) {
    publishing.lock();
    try {
      boolean removed = remove.get();
      settle(source, null);
      return removed;
    } finally {
      publishing.unlock();
    }
  }

  private void settle(String source, @Nullable ToolSource published) {
    if (published == null) {
      sources.remove(source);
    } else {
      sources.put(source, new Entry(published, null));
    }
  }
}
