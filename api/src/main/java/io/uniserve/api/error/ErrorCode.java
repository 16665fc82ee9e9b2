package io.uniserve.api.error;

import io.uniserve.api.form.Name;

/**
 * A kind of failure: its cause, the party that can mend it, and whether sending the same request
 * again is safe and may help.
 */
public enum ErrorCode {
  /** The request is malformed or contradicts the schema. */
  @Name("INVALID_ARGUMENT")
  INVALID_ARGUMENT(Party.CALLER, false),
  /** The caller has not proved its identity. */
  @Name("UNAUTHENTICATED")
  UNAUTHENTICATED(Party.CALLER, false),
  /** The caller is known, but has no right to do this. */
  @Name("FORBIDDEN")
  FORBIDDEN(Party.CALLER, false),
  /** A table, actor, field or file that the request names does not exist. */
  @Name("NOT_FOUND")
  NOT_FOUND(Party.CALLER, false),
  /** A name that must be new is taken. */
  @Name("ALREADY_EXISTS")
  ALREADY_EXISTS(Party.CALLER, false),
  /** The request is valid, but this version or this engine does not support it. */
  @Name("UNSUPPORTED")
  UNSUPPORTED(Party.CALLER, false),
  /** The request exceeds a bound, whose name and value the message gives. */
  @Name("TOO_LARGE")
  TOO_LARGE(Party.CALLER, false),
  /**
   * The caller's deadline passed. Whether an update was applied is not known; its idempotency key
   * makes a retry safe.
   */
  @Name("DEADLINE_EXCEEDED")
  DEADLINE_EXCEEDED(Party.CALLER, true),
  /** The caller, or what it depended on, cancelled the request. */
  @Name("CANCELLED")
  CANCELLED(Party.CALLER, false),
  /** An engine voted to abort the transaction; no part of it was applied. */
  @Name("ABORTED")
  ABORTED(Party.CALLER, false),
  /** A server is not reachable, or an actor has no copy that can answer now. */
  @Name("UNAVAILABLE")
  UNAVAILABLE(Party.SYSTEM, true),
  /**
   * The server does not have, or no longer has, the role that the request needs; the caller's
   * routing was out of date.
   */
  @Name("STALE_ROUTING")
  STALE_ROUTING(Party.SYSTEM, true),
  /**
   * The version that a snapshot read needs has been freed; the query, sent again, reads a newer
   * one.
   */
  @Name("VERSION_GONE")
  VERSION_GONE(Party.SYSTEM, true),
  /** The server refused work early because it is full. */
  @Name("OVERLOADED")
  OVERLOADED(Party.RESOURCES, true),
  /** Disk, memory or the durable store is exhausted; nothing was applied. */
  @Name("EXHAUSTED")
  EXHAUSTED(Party.RESOURCES, true),
  /** Stored or received bytes fail their check. */
  @Name("CORRUPT")
  CORRUPT(Party.SYSTEM, false),
  /** A defect of Uniserve or of an engine. */
  @Name("INTERNAL")
  INTERNAL(Party.SYSTEM, false);

  private final Party party;
  private final boolean retryable;

  ErrorCode(Party party, boolean retryable) {
    this.party = party;
    this.retryable = retryable;
  }

  /** Returns the party that can mend the error. */
  public Party party() {
    return party;
  }

  /** Returns whether sending the same request again is safe and may succeed. */
  public boolean retryable() {
    return retryable;
  }

  /** The party that can mend an error. */
  public enum Party {
    /** The caller sent a request that cannot be carried out. */
    CALLER,
    /** The system failed. */
    SYSTEM,
    /** The system is sound but has no room. */
    RESOURCES
  }
}
