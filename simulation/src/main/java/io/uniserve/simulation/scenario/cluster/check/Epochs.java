package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.entry.Position;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * The check that no old epoch acknowledges anything. An update that began after an actor's next
 * epoch was heard of cannot have got its place from the primary before, however late that one wakes
 * up.
 */
public final class Epochs {
  private final Map<Integer, Long> epochs = new LinkedHashMap<>();
  private final Map<String, Map<Integer, Long>> whenBegun = new LinkedHashMap<>();

  /** Notes that an actor is led in another epoch. */
  public void led(int actor, long epoch) {
    epochs.merge(actor, epoch, Math::max);
  }

  /** Notes that an update begins. */
  public void begun(String key) {
    whenBegun.put(key, new LinkedHashMap<>(epochs));
  }

  /** Notes that an update is acknowledged. */
  public void acknowledged(String key, SortedMap<Integer, Position> positions) {
    positions.forEach(
        (actor, position) -> {
          long least = whenBegun.get(key).getOrDefault(actor, 0L);
          Invariant.ONE_PRIMARY.require(
              position.epoch() >= least,
              () ->
                  key
                      + " is acknowledged at "
                      + position
                      + " of actor "
                      + actor
                      + ", and began when epoch "
                      + least
                      + " was known");
        });
  }
}
