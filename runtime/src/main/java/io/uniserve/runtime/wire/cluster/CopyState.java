package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.codec.Since;
import io.uniserve.api.form.Name;
import java.util.Optional;

/**
 * One copy of an actor.
 *
 * @param server the server that holds it or is to hold it
 * @param status its status
 * @param since the version of cluster state at which it was added
 * @param statusSince the version at which it got that status
 * @param source the server that was chosen to send the data, if it is not the primary
 */
public record CopyState(
    String server, Status status, long since, long statusSince, @Since(2) Optional<String> source) {
  /** Creates a copy whose data comes from the primary. */
  public CopyState(String server, Status status, long since, long statusSince) {
    this(server, status, since, statusSince, Optional.empty());
  }

  /** Returns a copy that is added at a version. */
  static CopyState added(String server, Status status, long version) {
    return new CopyState(server, status, version, version);
  }

  /** Returns the same copy, whose data comes from this server. */
  CopyState from(Optional<String> sender) {
    return new CopyState(server, status, since, statusSince, sender);
  }

  /** Returns its identity, which differs from that of the server's earlier copies. */
  public CopyId id() {
    return new CopyId(server, since);
  }

  CopyState with(Status other, long version) {
    return other == status
        ? this
        : new CopyState(
            server, other, since, version, other == Status.LOADING ? source : Optional.empty());
  }

  /** Returns the same copy as it begins to be brought up to date, possibly once more. */
  CopyState loadingSince(long version) {
    return new CopyState(server, Status.LOADING, since, version);
  }

  /**
   * Returns whether the copy may be read. A client that has not heard of its retirement still reads
   * it.
   */
  public boolean isRead() {
    return status == Status.READY || status == Status.RETIRING;
  }

  /** The status of a copy. */
  public enum Status {
    /**
     * It is part of a new table: the server creates it empty, unless it already did, and brings it
     * up to date.
     */
    @Name("EMPTY")
    EMPTY,
    /**
     * The server brings it up to date from its disk, from the primary or from the durable store.
     */
    @Name("LOADING")
    LOADING,
    /**
     * It follows the primary, or is the primary. Only copies of this status are chosen for reads.
     */
    @Name("READY")
    READY,
    /**
     * It still follows, but is about to be removed. Clients that know this no longer read it. It is
     * removed once its server has said that it answers no reads.
     */
    @Name("RETIRING")
    RETIRING
  }
}
