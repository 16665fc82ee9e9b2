package io.uniserve.node.http.document;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.partition.RingPlaces;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.Ring;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingMember;
import io.uniserve.runtime.wire.ring.RingState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rings of servers and their changes, as JSON. */
public final class RingDocuments {
  private RingDocuments() {}

  /**
   * Returns the change that a request describes.
   *
   * @param ring the configuration that the change will meet, by which the middle of the widest
   *     range is found
   */
  public static RingChange change(Settings request, Partitioner partitioner, Ring ring) {
    String kind = request.text("change");
    return switch (kind) {
      case "expand" ->
          new RingChange.Expand(request.text("server"), at(request, partitioner, ring));
      case "contract" -> new RingChange.Contract(request.text("server"));
      case "replace" -> new RingChange.Replace(request.text("server"), request.text("by"));
      case "rebalance" ->
          new RingChange.Rebalance(
              request.text("server"), RingPlaces.parse(partitioner, request.text("at")));
      default ->
          throw UniserveException.invalid(
              "ring: 'change' must be one of expand, contract, replace and rebalance, not '"
                  + Excerpt.of(kind)
                  + "'");
    };
  }

  private static PartitionKey at(Settings request, Partitioner partitioner, Ring ring) {
    String at = request.text("at", null);
    if (at != null) {
      return RingPlaces.parse(partitioner, at);
    }
    if (partitioner.base() instanceof Partitioner.Range) {
      throw UniserveException.invalid(
          "ring: 'at' is missing: a table that is partitioned by range does not know which key"
              + " halves a range");
    }
    return widest(partitioner, ring);
  }

  /** Returns the middle of the widest range of a hash; of equal ones the first. */
  private static PartitionKey widest(Partitioner partitioner, Ring ring) {
    long all = RingPlaces.units(RingPlaces.parse(partitioner, "0"));
    long end = (long) partitioner.base().actors() << 32;
    long from = all;
    long width = -1;
    List<RingMember> members = ring.members();
    for (int i = 0; i < members.size(); i++) {
      long begin = RingPlaces.units(members.get(i).at());
      long next = RingPlaces.units(members.get((i + 1) % members.size()).at());
      long distance = next > begin ? next - begin : next + end - begin;
      if (distance > width) {
        width = distance;
        from = begin;
      }
    }
    return RingPlaces.ofUnits((from + width / 2) % end);
  }

  /** Returns a change for people. */
  public static String text(Partitioner partitioner, RingChange change) {
    return switch (change) {
      case RingChange.Expand it ->
          "expand: " + it.server() + " at " + RingPlaces.text(partitioner, it.at());
      case RingChange.Contract it -> "contract: " + it.server() + " leaves";
      case RingChange.Replace it -> "replace: " + it.by() + " for " + it.server();
      case RingChange.Rebalance it ->
          "rebalance: " + it.server() + " to " + RingPlaces.text(partitioner, it.at());
    };
  }

  /** Returns a table's ring: its servers, the ranges with their copies, and its changes. */
  public static Map<String, Object> describe(ClusterState state, TableState table, RingState ring) {
    Partitioner partitioner = table.definition().partitioner();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table.definition().name());
    document.put("copies", table.definition().replicas());
    document.put("changes", ring.submitted());
    List<Object> members = new ArrayList<>();
    for (RingMember member : ring.ring().members()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("server", member.server());
      one.put("at", RingPlaces.text(partitioner, member.at()));
      one.put("alive", state.alive(member.server()));
      members.add(one);
    }
    document.put("members", members);
    List<Object> ranges = new ArrayList<>();
    partitioner
        .ring()
        .forEach(
            (place, number) -> {
              ActorState actor = table.actors().get(number);
              Map<String, Object> copies = new LinkedHashMap<>();
              for (CopyState copy : actor.copies()) {
                copies.put(copy.server(), copy.status().name().toLowerCase(Locale.ROOT));
              }
              Map<String, Object> one = new LinkedHashMap<>();
              one.put("from", RingPlaces.text(partitioner, place));
              one.put("actor", number);
              one.put("owner", ring.ring().order(place).getFirst());
              one.put("primary", actor.primary());
              one.put("copies", copies);
              ranges.add(one);
            });
    document.put("ranges", ranges);
    document.put(
        "queue",
        ring.queue().stream()
            .map(
                queued ->
                    Map.of(
                        "number",
                        queued.number(),
                        "change",
                        text(partitioner, queued.change()),
                        "underWay",
                        queued.placed()))
            .toList());
    document.put(
        "ended",
        ring.ended().stream()
            .map(
                ended ->
                    Map.of(
                        "number",
                        ended.number(),
                        "change",
                        text(partitioner, ended.change()),
                        "done",
                        ended.done(),
                        "why",
                        ended.why()))
            .toList());
    return document;
  }
}
