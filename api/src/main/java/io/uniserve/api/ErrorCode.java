package io.uniserve.api;

/**
 * What went wrong, whose it is to mend, and whether sending the same request again is safe and may
 * help.
 */
public enum ErrorCode {
  /** The request is malformed or contradicts the schema. */
  INVALID_ARGUMENT(Party.CALLER, false),
  /** The caller does not say, or does not prove, who it is. */
  UNAUTHENTICATED(Party.CALLER, false),
  /** The caller is known, and may not do this. */
  FORBIDDEN(Party.CALLER, false),
  /** A table, actor, field or file that the request names does not exist. */
  NOT_FOUND(Party.CALLER, false),
  /** A name that must be new is taken. */
  ALREADY_EXISTS(Party.CALLER, false),
  /** Valid, but this version or this engine does not run it. */
  UNSUPPORTED(Party.CALLER, false),
  /** The request exceeds a bound, whose name and value the message gives. */
  TOO_LARGE(Party.CALLER, false),
  /**
   * The caller's deadline passed. Whether an update was applied is not known; its idempotency key
   * makes a retry safe.
   */
  DEADLINE_EXCEEDED(Party.CALLER, true),
  /** The caller, or what it depended on, cancelled the request. */
  CANCELLED(Party.CALLER, false),
  /** A transaction was voted down by an engine; nothing of it has happened. */
  ABORTED(Party.CALLER, false),
  /** A server is not reachable, or an actor has no copy that can answer now. */
  UNAVAILABLE(Party.SYSTEM, true),
  /**
   * The server addressed is not, or no longer, in the role that the request needs; routing was out
   * of date.
   */
  STALE_ROUTING(Party.SYSTEM, true),
  /**
   * A snapshot read has outlived its version, which was freed; the query, sent again, reads a newer
   * one.
   */
  VERSION_GONE(Party.SYSTEM, true),
  /** The server refused work early because it is full. */
  OVERLOADED(Party.RESOURCES, true),
  /** Disk, memory or the durable store is exhausted; nothing was applied. */
  EXHAUSTED(Party.RESOURCES, true),
  /** Stored or received bytes fail their check. */
  CORRUPT(Party.SYSTEM, false),
  /** A defect of Uniserve or of an engine. */
  INTERNAL(Party.SYSTEM, false);

  private final Party party;
  private final boolean retryable;

  ErrorCode(Party party, boolean retryable) {
    this.party = party;
    this.retryable = retryable;
  }

  /** Whose error it is. */
  public Party party() {
    return party;
  }

  /** Whether the same request, sent again, is safe and may succeed. */
  public boolean retryable() {
    return retryable;
  }

  /** Who can do something about an error. */
  public enum Party {
    /** The caller sent what cannot be done. */
    CALLER,
    /** The system failed. */
    SYSTEM,
    /** The system is sound but has no room. */
    RESOURCES
  }
}
