package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.codec.Name;

/**
 * One copy of an actor.
 *
 * @param server the server that holds it or is to hold it
 * @param status how far it is
 * @param since the version of cluster state at which it was added
 * @param statusSince the version at which it came to be that far
 */
public record CopyState(String server, Status status, long since, long statusSince) {
  /** One that is added at a version. */
  static CopyState added(String server, Status status, long version) {
    return new CopyState(server, status, version, version);
  }

  /** Tells it from others that its server had before. */
  public CopyId id() {
    return new CopyId(server, since);
  }

  CopyState with(Status other, long version) {
    return other == status ? this : new CopyState(server, other, since, version);
  }

  /** The same that begins to be brought up to date, be it once more. */
  CopyState loadingSince(long version) {
    return new CopyState(server, Status.LOADING, since, version);
  }

  /** Whether somebody may read it: who has not heard that it retires still does. */
  public boolean isRead() {
    return status == Status.READY || status == Status.RETIRING;
  }

  /** How far a copy is. */
  public enum Status {
    /**
     * Part of a new table: the server makes it empty, unless it already did, and brings it up to
     * date.
     */
    @Name("EMPTY")
    EMPTY,
    /**
     * The server brings it up to date, from what it has on disk, from the primary or from the
     * durable store.
     */
    @Name("LOADING")
    LOADING,
    /** Follows the primary, or is the primary. The only status in which it is read. */
    @Name("READY")
    READY,
    /**
     * Follows still, but is about to go: whoever knows reads it no more. It goes once its server
     * has said that it answers no reads.
     */
    @Name("RETIRING")
    RETIRING
  }
}
