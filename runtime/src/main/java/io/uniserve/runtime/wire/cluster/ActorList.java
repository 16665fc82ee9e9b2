package io.uniserve.runtime.wire.cluster;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The actors of one table, by number. Immutable; a list in which one actor differs shares all but a
 * small part with the former list, since a control record may change one of many thousands.
 */
final class ActorList extends AbstractList<ActorState> implements RandomAccess {
  private static final int PART_BITS = 7;
  private static final int PART = 1 << PART_BITS;

  private final ActorState[][] parts;
  private final int size;

  private ActorList(ActorState[][] parts, int size) {
    this.parts = parts;
    this.size = size;
  }

  /** Returns a list of the same actors; copies them unless they are such a list already. */
  static ActorList of(List<ActorState> actors) {
    if (actors instanceof ActorList same) {
      return same;
    }
    int size = actors.size();
    ActorState[][] parts = new ActorState[(size + PART - 1) >> PART_BITS][];
    for (int part = 0; part < parts.length; part++) {
      int from = part << PART_BITS;
      parts[part] = actors.subList(from, Math.min(size, from + PART)).toArray(new ActorState[0]);
      for (ActorState actor : parts[part]) {
        Objects.requireNonNull(actor);
      }
    }
    return new ActorList(parts, size);
  }

  /** Returns the same list with another actor in one place. */
  ActorList with(int number, ActorState actor) {
    Objects.checkIndex(number, size);
    ActorState[][] changed = parts.clone();
    changed[number >> PART_BITS] = changed[number >> PART_BITS].clone();
    changed[number >> PART_BITS][number & (PART - 1)] = Objects.requireNonNull(actor);
    return new ActorList(changed, size);
  }

  @Override
  public ActorState get(int number) {
    Objects.checkIndex(number, size);
    return parts[number >> PART_BITS][number & (PART - 1)];
  }

  @Override
  public int size() {
    return size;
  }
}
