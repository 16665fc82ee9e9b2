package io.uniserve.runtime.server;

import io.uniserve.runtime.wire.Position;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The idempotency keys of an actor's most recent updates, and where each was applied: an update
 * whose key is among them is not applied again. For one thread at a time.
 */
final class RecentKeys {
  /** How many updates are remembered. */
  static final int MAX = 10_000;

  private final Map<String, Position> positions;

  /** Those that a checkpoint holds, the oldest first. */
  RecentKeys(Map<String, Position> positions) {
    this.positions = new LinkedHashMap<>(positions);
  }

  Optional<Position> positionOf(String key) {
    return Optional.ofNullable(positions.get(key));
  }

  void add(String key, Position position) {
    positions.put(key, position);
    if (positions.size() > MAX) {
      positions.remove(positions.keySet().iterator().next());
    }
  }

  /** A copy, the oldest first. */
  Map<String, Position> all() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(positions));
  }
}
