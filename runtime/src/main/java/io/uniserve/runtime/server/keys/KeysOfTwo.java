package io.uniserve.runtime.server.keys;

import io.uniserve.runtime.wire.entry.GivenAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The idempotency keys of two actors that are merged into one, sorted by name. An update applied by
 * one of them counts for that one's partition keys only, since the other may not have received its
 * records yet.
 */
public final class KeysOfTwo implements Iterator<AppliedKey> {
  private final int one;
  private final int other;
  private final Iterator<AppliedKey> ones;
  private final Iterator<AppliedKey> others;
  private Optional<AppliedKey> nextOfOne;
  private Optional<AppliedKey> nextOfOther;

  /**
   * @param one the number of the first
   * @param ones its keys, by name
   */
  public KeysOfTwo(int one, Iterator<AppliedKey> ones, int other, Iterator<AppliedKey> others) {
    this.one = one;
    this.ones = ones;
    this.other = other;
    this.others = others;
    nextOfOne = next(ones);
    nextOfOther = next(others);
  }

  private static Optional<AppliedKey> next(Iterator<AppliedKey> keys) {
    return keys.hasNext() ? Optional.of(keys.next()) : Optional.empty();
  }

  @Override
  public boolean hasNext() {
    return nextOfOne.isPresent() || nextOfOther.isPresent();
  }

  @Override
  public AppliedKey next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int order =
        nextOfOne.isEmpty()
            ? 1
            : nextOfOther.isEmpty()
                ? -1
                : nextOfOne.get().name().compareTo(nextOfOther.get().name());
    Optional<AppliedKey> first = order <= 0 ? nextOfOne : Optional.empty();
    Optional<AppliedKey> second = order >= 0 ? nextOfOther : Optional.empty();
    if (order <= 0) {
      nextOfOne = next(ones);
    }
    if (order >= 0) {
      nextOfOther = next(others);
    }
    return both(first, second);
  }

  private AppliedKey both(Optional<AppliedKey> first, Optional<AppliedKey> second) {
    AppliedKey known = first.or(() -> second).orElseThrow();
    boolean whole =
        first.filter(AppliedKey::whole).isPresent() && second.filter(AppliedKey::whole).isPresent();
    List<Part> parts = new ArrayList<>();
    if (!whole) {
      first.ifPresent(key -> parts.addAll(key.whole() ? List.of(Part.of(one)) : key.parts()));
      second.ifPresent(key -> parts.addAll(key.whole() ? List.of(Part.of(other)) : key.parts()));
    }
    // Two parts of a former actor have the same answer of it.
    List<GivenAnswer> answers =
        Stream.concat(first.stream(), second.stream())
            .flatMap(key -> key.answers().stream())
            .distinct()
            .toList();
    long until = Math.max(known.untilMillis(), second.map(AppliedKey::untilMillis).orElse(0L));
    return new AppliedKey(
        known.name(),
        known.body(),
        known.position(),
        until,
        parts.stream().distinct().sorted(Comparator.comparing(Part::actor)).toList(),
        answers);
  }
}
