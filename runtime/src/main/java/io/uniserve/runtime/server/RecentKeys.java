package io.uniserve.runtime.server;

import io.uniserve.runtime.wire.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The idempotency keys of an actor's most recent updates, and where each was applied: an update
 * whose key is among them is not applied again. What actors had applied that became one is known of
 * their own partition keys alone: the other one may not have had its records yet. For one thread at
 * a time.
 */
final class RecentKeys {
  /** How many updates are remembered. */
  static final int MAX = 10_000;

  private final Map<String, Position> positions;

  /** The actors that had applied what not all of this one has, by its key. */
  private final Map<String, List<Integer>> parts;

  /**
   * Those that a checkpoint holds.
   *
   * @param positions the oldest first
   * @param parts see {@link #partsOf}
   */
  RecentKeys(Map<String, Position> positions, Map<String, List<Integer>> parts) {
    this.positions = new LinkedHashMap<>(positions);
    this.parts = new LinkedHashMap<>(parts);
  }

  Optional<Position> positionOf(String key) {
    return Optional.ofNullable(positions.get(key));
  }

  /**
   * The actors, each of which became part of this one, that alone have applied an update that is
   * known; none if all of this one has.
   */
  List<Integer> partsOf(String key) {
    return parts.getOrDefault(key, List.of());
  }

  /** All of the actor has applied an update. */
  void add(String key, Position position) {
    remove(key);
    positions.put(key, position);
    if (positions.size() > MAX) {
      remove(positions.keySet().iterator().next());
    }
  }

  private void remove(String key) {
    positions.remove(key);
    parts.remove(key);
  }

  /** A copy, the oldest first. */
  Map<String, Position> all() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(positions));
  }

  /** A copy of what is known of parts alone. */
  Map<String, List<Integer>> allParts() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(parts));
  }

  /** What is known of two actors, of which the one that they become has no log. */
  record Known(int actor, Map<String, Position> positions, Map<String, List<Integer>> parts) {
    private List<Integer> partsOf(String key) {
      return parts.getOrDefault(key, List.of(actor));
    }
  }

  /** What an actor knows that two became: of both the most recent. */
  static RecentKeys of(Known one, Known other) {
    RecentKeys both = new RecentKeys(Map.of(), Map.of());
    List<String> ones = new ArrayList<>(one.positions.keySet());
    List<String> others = new ArrayList<>(other.positions.keySet());
    for (int age = Math.max(ones.size(), others.size()); age > 0; age--) {
      both.add(one, ones, age, other);
      both.add(other, others, age, one);
    }
    return both;
  }

  private void add(Known from, List<String> keys, int age, Known other) {
    if (age > keys.size()) {
      return;
    }
    String key = keys.get(keys.size() - age);
    add(key, from.positions.get(key));
    boolean whole =
        !from.parts.containsKey(key)
            && other.positions.containsKey(key)
            && !other.parts.containsKey(key);
    if (!whole) {
      List<Integer> all = new ArrayList<>(from.partsOf(key));
      if (other.positions.containsKey(key)) {
        all.addAll(other.partsOf(key));
      }
      parts.put(key, all.stream().distinct().sorted().toList());
    }
  }
}
