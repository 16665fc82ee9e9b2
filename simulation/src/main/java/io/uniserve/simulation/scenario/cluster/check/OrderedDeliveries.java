package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.entry.OrderPlace;
import java.util.HashMap;
import java.util.Map;

/**
 * The check of coordinators' deliveries. Whichever coordinator sends it, a number is always the
 * same update to the same actors. Each actor gets it after the same other one, and no actor gets
 * another's.
 */
public final class OrderedDeliveries {
  private final Map<Map.Entry<Long, Long>, String> updates = new HashMap<>();
  private final Map<Map.Entry<ActorId, Long>, Long> previous = new HashMap<>();

  public void sent(Deliver deliver) {
    for (Delivery delivery : deliver.updates()) {
      OrderPlace place = delivery.place();
      long table = deliver.actor().table();
      String update = delivery.key() + " to " + place.actors();
      requireSame(updates.putIfAbsent(Map.entry(table, place.number()), update), update, deliver);
      requireSame(
          previous.putIfAbsent(Map.entry(deliver.actor(), place.number()), place.previous()),
          place.previous(),
          deliver);
      Invariant.TOTAL_ORDER.require(
          place.actors().contains(deliver.actor().number()), () -> "to another: " + deliver);
    }
  }

  private static void requireSame(Object former, Object now, Deliver deliver) {
    Invariant.TOTAL_ORDER.require(
        former == null || former.equals(now), () -> former + " is " + now + " in " + deliver);
  }
}
