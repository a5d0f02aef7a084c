package dev.toolcrib.spring.boot;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of their last use, all of them and those of each user. Not thread-safe.
 *
 * @param <E> an entry
 */
final class KeptEntries<E> {

  private final Map<ConversationKey, E> all = inOrderOfUse();
  // So that a user's surplus is found without a look at everyone's entries.
  private final Map<Owner, Map<ConversationKey, E>> owned = new HashMap<>();

  /** The entry of a key, made if there is none, as the one used last. */
  E use(ConversationKey key, Function<ConversationKey, E> maker) {
    E entry = all.computeIfAbsent(key, maker);
    owned.computeIfAbsent(key.owner(), owner -> inOrderOfUse()).put(key, entry);
    return entry;
  }

  /** Makes an entry the one used last; false if it is not, or no longer, the key's. */
  boolean touch(ConversationKey key, E entry) {
    if (all.get(key) != entry) {
      return false;
    }
    use(key, absent -> entry);
    return true;
  }

  @Nullable E remove(ConversationKey key) {
    Map<ConversationKey, E> ofOwner = owned.get(key.owner());
    if (ofOwner != null) {
      ofOwner.remove(key);
      if (ofOwner.isEmpty()) {
        owned.remove(key.owner());
      }
    }
    return all.remove(key);
  }

  /** The one used least recently first; a view, not to be changed. */
  Collection<E> all() {
    return all.values();
  }

  /** The owner's, the one used least recently first; a view, not to be changed. */
  Collection<E> of(Owner owner) {
    Map<ConversationKey, E> ofOwner = owned.get(owner);
    return ofOwner == null ? List.of() : ofOwner.values();
  }

  void clear() {
    all.clear();
    owned.clear();
  }

  private static <E> Map<ConversationKey, E> inOrderOfUse() {
    return new LinkedHashMap<>(16, 0.75f, true);
  }

  /** Whose an entry is. */
  record Owner(String tenant, String user) {}

  /** What an entry is found by. */
  record ConversationKey(Owner owner, String conversationId) {}
}
