package io.uniserve.runtime.wire.cluster;

import java.util.Comparator;

/**
 * The identity of a copy of an actor. If a server's copy is removed and added again, that is
 * another copy: a server that has not heard of it yet is about to delete the data of the former
 * one.
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
