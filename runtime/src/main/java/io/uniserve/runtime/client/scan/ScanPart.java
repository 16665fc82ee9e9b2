package io.uniserve.runtime.client.scan;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.ScanMessage.FormerKeys;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * A set of keys that one actor has, and how far a scan has read them. It begins as the keys of an
 * actor. If that is split, it becomes two; if it is merged, it goes on as those keys of the merged
 * actor that it had before. So the place belongs to keys, whatever becomes of actors.
 */
final class ScanPart {
  /** A place in the keys. */
  record Place(Optional<ByteBuffer> at, boolean ended) {
    static final Place BEGIN = new Place(Optional.empty(), false);
  }

  /** The number of the actor that has the keys. */
  int actor;

  /** The number of splits and merges that this part has followed. */
  int changes;

  /** The keys within that actor, if not all of them. */
  List<FormerKeys> only;

  /** The end of what has arrived. */
  Place fetched;

  /** The end of what has been given to the reader. */
  Place given;

  /** The pages of it that have arrived and were not given. */
  int ahead;

  boolean reading;
  long read;
  long total;

  /** The time of the first failure since the last page, if there was one. */
  OptionalLong failingSinceNanos = OptionalLong.empty();

  /** The time from which it may be tried again, if it has failed. */
  OptionalLong retryAtNanos = OptionalLong.empty();

  Optional<UniserveException> lastFailure = Optional.empty();

  /** The servers whose copies have failed since the last page. */
  final Set<String> avoided = new TreeSet<>();

  /** The servers that keep its version, if the scan is of one. */
  final Set<String> holders = new TreeSet<>();

  ScanPart(int actor, int changes, List<FormerKeys> only, Place place) {
    this.actor = actor;
    this.changes = changes;
    this.only = List.copyOf(only);
    this.fetched = place;
    this.given = place;
  }

  /** Returns another part at the same place, of an actor that was made of this one's. */
  ScanPart half(int other) {
    ScanPart half = new ScanPart(other, changes, only, fetched);
    half.given = given;
    half.total = total / 2;
    half.read = read / 2;
    total -= half.total;
    read -= half.read;
    return half;
  }

  /** Notes that no page can be read at present. */
  void fails(long nowNanos) {
    failingSinceNanos = OptionalLong.of(failingSinceNanos.orElse(nowNanos));
  }

  /** Returns whether no page could be read for longer than this. */
  boolean hasFailedFor(Duration patience, long nowNanos) {
    return failingSinceNanos.isPresent()
        && nowNanos - failingSinceNanos.getAsLong() > patience.toNanos();
  }

  /** Returns the time until it may be tried again, in nanoseconds; 0 if it may be now. */
  long retryInNanos(long nowNanos) {
    return retryAtNanos.isPresent() ? Math.max(0, retryAtNanos.getAsLong() - nowNanos) : 0;
  }

  /** Returns whether a page of it may be read now. */
  boolean idle(long nowNanos) {
    return !reading && !fetched.ended() && retryInNanos(nowNanos) == 0;
  }
}
