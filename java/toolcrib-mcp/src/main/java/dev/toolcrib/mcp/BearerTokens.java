package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the bearer token for requests to one server. It goes to the address of that server, over
 * no redirect, and to nowhere else.
 */
@FunctionalInterface
public interface BearerTokens {

  /**
   * The token for one request. Called for each request, on a thread that must not be held up long.
   *
   * @param caller whose call it is; null for connecting and listing, which are nobody's
   * @return the token; null sends none, and a call then ends unauthorized if the server wants one
   */
  @Nullable String token(@Nullable Caller caller);
}
