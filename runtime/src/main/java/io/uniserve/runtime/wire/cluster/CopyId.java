package io.uniserve.runtime.wire.cluster;

import java.util.Comparator;

/**
 * Which copy of an actor is meant. A server's copy that is removed and added again is another: a
 * server that has not heard of it yet is about to delete what it holds as the former one.
 *
 * @param server the server that holds it or is to hold it
 * @param since the version of cluster state at which it was added
 */
public record CopyId(String server, long since) implements Comparable<CopyId> {
  private static final Comparator<CopyId> ORDER =
      Comparator.comparing(CopyId::server).thenComparing(CopyId::since);

  @Override
  public int compareTo(CopyId other) {
    return ORDER.compare(this, other);
  }
}
