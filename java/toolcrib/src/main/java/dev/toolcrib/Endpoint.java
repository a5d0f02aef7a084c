package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one endpoint can do: its wire format, how tools that are found come before its model, and
 * what one request may hold. Pick it by where the requests go, never by the name of a model.
 *
 * <p>Immutable. Use one for a conversation: what went into the history for one endpoint is not
 * understood by another.
 */
public final class Endpoint {

  private final Target target;
  private final boolean provider;
  private final @Nullable Activation activation;
  private final @Nullable Boolean strict;
  private final @Nullable Boolean cacheBreakpoint;
  private final @Nullable Boolean searchRenamed;
  private final @Nullable Budget budget;

  private Endpoint(
      Target target,
      boolean provider,
      @Nullable Activation activation,
      @Nullable Boolean strict,
      @Nullable Boolean cacheBreakpoint,
      @Nullable Boolean searchRenamed,
      @Nullable Budget budget) {
    this.target = requireNonNull(target, "target");
    this.provider = provider;
    this.activation = activation;
    this.strict = strict;
    this.cacheBreakpoint = cacheBreakpoint;
    this.searchRenamed = searchRenamed;
    this.budget = budget;
  }

  /**
   * What every endpoint of a format can do, gateways and copies included: plain declarations, a
   * growing list, no cache marks, and the provider's documented limits per request.
   *
   * @param target the format
   * @return the endpoint
   */
  public static Endpoint of(Target target) {
    return new Endpoint(target, false, null, null, null, null, null);
  }

  /**
   * What the provider's own endpoint of a format can do with its current models: {@link
   * Activation#ANTHROPIC_REFERENCE} and a cache mark for Anthropic, {@link
   * Activation#OPENAI_CLIENT_SEARCH} for OpenAI Responses, {@link Activation#META_TOOL} for MCP, a
   * cache mark for Claude on Bedrock. Elsewhere the same as {@link #of}.
   *
   * @param target the format
   * @return the endpoint
   */
  public static Endpoint ofProvider(Target target) {
    return new Endpoint(target, true, null, null, null, null, null);
  }

  /**
   * This endpoint with another way of activation.
   *
   * @param activation the way
   * @return a new endpoint
   * @throws IllegalArgumentException if the format has no such thing
   */
  public Endpoint withActivation(Activation activation) {
    if (!activation.suits(target)) {
      throw new IllegalArgumentException(
          "%s has no activation by %s".formatted(target.id(), activation.id()));
    }
    return new Endpoint(
        target, provider, activation, strict, cacheBreakpoint, searchRenamed, budget);
  }

  /**
   * This endpoint with strict declarations, which hold the model to the schema, wherever the format
   * has them and the schema allows it. What does not fit the request's budget is declared plain,
   * and a note says so.
   *
   * @param strict whether they are wanted; not unless set
   * @return a new endpoint
   */
  public Endpoint withStrict(boolean strict) {
    return new Endpoint(
        target, provider, activation, strict, cacheBreakpoint, searchRenamed, budget);
  }

  /**
   * This endpoint with a mark behind the last tool that is not deferred, up to which the provider
   * caches. Only Anthropic and Bedrock have such marks; elsewhere it changes nothing.
   *
   * @param cacheBreakpoint whether it is wanted
   * @return a new endpoint
   */
  public Endpoint withCacheBreakpoint(boolean cacheBreakpoint) {
    return new Endpoint(
        target, provider, activation, strict, cacheBreakpoint, searchRenamed, budget);
  }

  /**
   * This endpoint with {@code tool_search} declared as {@code find_tools}. Some endpoints, xAI and
   * OpenAI's Codex among them, have a tool of their own of the first name and refuse every request
   * with a function called so. It is the model that sees the other name; everywhere else it is
   * {@code tool_search}.
   *
   * @param searchRenamed whether it is renamed; not unless set
   * @return a new endpoint
   */
  public Endpoint withSearchRenamed(boolean searchRenamed) {
    return new Endpoint(
        target, provider, activation, strict, cacheBreakpoint, searchRenamed, budget);
  }

  /**
   * This endpoint with other limits per request.
   *
   * @param budget the limits; they replace what the provider documents
   * @return a new endpoint
   */
  public Endpoint withBudget(Budget budget) {
    return new Endpoint(
        target, provider, activation, strict, cacheBreakpoint, searchRenamed, budget);
  }

  /**
   * The wire format.
   *
   * @return the target
   */
  public Target target() {
    return target;
  }

  void writeTo(FrameWriter frame) {
    frame.text(target.id()).flag(provider).optional(activation, FrameWriter::constant);
    frame.optional(strict, FrameWriter::flag).optional(cacheBreakpoint, FrameWriter::flag);
    frame.optional(searchRenamed, FrameWriter::flag);
    frame.optional(budget, (f, limits) -> limits.writeTo(f));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Endpoint that
        && target == that.target
        && provider == that.provider
        && activation == that.activation
        && Objects.equals(strict, that.strict)
        && Objects.equals(cacheBreakpoint, that.cacheBreakpoint)
        && Objects.equals(searchRenamed, that.searchRenamed)
        && Objects.equals(budget, that.budget);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        target, provider, activation, strict, cacheBreakpoint, searchRenamed, budget);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(provider ? "provider's " : "").append(target.id());
    if (activation != null) {
      text.append(", ").append(activation.id());
    }
    if (strict != null) {
      text.append(strict ? ", strict" : ", plain");
    }
    if (cacheBreakpoint != null) {
      text.append(cacheBreakpoint ? ", cache breakpoint" : ", no cache breakpoint");
    }
    if (searchRenamed != null && searchRenamed) {
      text.append(", search renamed");
    }
    if (budget != null) {
      text.append(", ").append(budget);
    }
    return text.toString();
  }

  /**
   * What one request may hold; null where there is no limit.
   *
   * @param maxTools tools
   * @param maxStrict strict tools among them
   * @param maxStrictOptional optional properties over all strict tools
   * @param maxStrictUnions properties of several types over all strict tools
   */
  public record Budget(
      @Nullable Integer maxTools,
      @Nullable Integer maxStrict,
      @Nullable Integer maxStrictOptional,
      @Nullable Integer maxStrictUnions) {

    /** No limits. */
    public static final Budget UNLIMITED = new Budget(null, null, null, null);

    /**
     * Checks what is given.
     *
     * @throws IllegalArgumentException if a limit is negative
     */
    public Budget {
      requireLimit(maxTools);
      requireLimit(maxStrict);
      requireLimit(maxStrictOptional);
      requireLimit(maxStrictUnions);
    }

    /**
     * These limits with another number of tools.
     *
     * @param maxTools most tools of a request, Toolcrib's own included
     * @return new limits
     */
    public Budget withMaxTools(int maxTools) {
      return new Budget(maxTools, maxStrict, maxStrictOptional, maxStrictUnions);
    }

    private static void requireLimit(@Nullable Integer limit) {
      if (limit != null && limit < 0) {
        throw new IllegalArgumentException("a limit of %s".formatted(limit));
      }
    }

    private void writeTo(FrameWriter frame) {
      frame.optional(maxTools, (f, limit) -> f.number(limit));
      frame.optional(maxStrict, (f, limit) -> f.number(limit));
      frame.optional(maxStrictOptional, (f, limit) -> f.number(limit));
      frame.optional(maxStrictUnions, (f, limit) -> f.number(limit));
    }
  }
}
