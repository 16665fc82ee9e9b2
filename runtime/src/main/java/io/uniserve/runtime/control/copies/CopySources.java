package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.policy.transfer.TransferOptimiser;
import io.uniserve.policy.transfer.TransferProblem;
import io.uniserve.policy.transfer.TransferProblem.Edge;
import io.uniserve.policy.transfer.TransferProblem.Need;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The choice of the servers that send the data of new copies, of moves and repairs alike
 * (<i>Crescando/RB</i> §6.5; see {@link TransferOptimiser}). A few copies of one table are chosen
 * for together, with all that its ring still wants. Many, as after the loss of a server, are chosen
 * for one after another.
 */
final class CopySources {
  /** The number of copies of a table that are chosen for together. */
  private static final int TOGETHER_MAX = 16;

  private final ClusterState state;

  /** The transfers under way, by each server that takes part. */
  private final Map<String, Set<Edge>> underWay = new TreeMap<>();

  /** A copy to be made. */
  private record Wanted(ActorId id, String receiver) {}

  private CopySources(ClusterState state) {
    this.state = state;
    state.forEachActor(
        (id, actor) -> {
          for (CopyState copy : actor.copies()) {
            if (copy.status() == Status.LOADING && state.alive(copy.server())) {
              note(new Edge(copy.source().orElse(actor.primary()), copy.server()));
            }
          }
        });
  }

  private void note(Edge edge) {
    underWay.computeIfAbsent(edge.sender(), one -> new LinkedHashSet<>()).add(edge);
    underWay.computeIfAbsent(edge.receiver(), one -> new LinkedHashSet<>()).add(edge);
  }

  /** Returns the records with the senders of all copies that they add. */
  static List<ControlRecord> chosen(ClusterState state, List<ControlRecord> records) {
    Map<Long, List<Wanted>> added = new TreeMap<>();
    for (ControlRecord record : records) {
      if (record instanceof CopyAdded copy) {
        added
            .computeIfAbsent(copy.actor().table(), table -> new ArrayList<>())
            .add(new Wanted(copy.actor(), copy.server()));
      }
    }
    if (added.isEmpty()) {
      return records;
    }
    CopySources sources = new CopySources(state);
    Map<ActorId, Map<String, String>> senders = new TreeMap<>();
    added.forEach((table, copies) -> sources.choose(state.tables().get(table), copies, senders));
    return records.stream().map(record -> with(state, record, senders)).toList();
  }

  private static ControlRecord with(
      ClusterState state, ControlRecord record, Map<ActorId, Map<String, String>> senders) {
    if (!(record instanceof CopyAdded added)) {
      return record;
    }
    String primary = state.actor(added.actor()).orElseThrow().primary();
    Optional<String> sender =
        Optional.ofNullable(senders.getOrDefault(added.actor(), Map.of()).get(added.server()))
            .filter(server -> !server.equals(primary));
    return new CopyAdded(added.actor(), added.server(), added.why(), sender);
  }

  private void choose(
      TableState table, List<Wanted> copies, Map<ActorId, Map<String, String>> senders) {
    if (copies.size() > TOGETHER_MAX) {
      copies.forEach(copy -> choose(table, List.of(copy), senders));
      return;
    }
    Optional<RingHolders> ring = RingHolders.of(table);
    List<Wanted> all = new ArrayList<>(copies);
    ring.ifPresent(holders -> addLater(table, holders, all));
    List<Wanted> some = all.stream().filter(copy -> !senders(copy).isEmpty()).toList();
    if (some.isEmpty()) {
      return;
    }
    List<Need> needs = some.stream().map(copy -> new Need(copy.receiver(), senders(copy))).toList();
    List<List<String>> groups = groups(table, ring, some);
    TransferProblem problem = new TransferProblem(needs, edges(needs), groups, failed(groups));
    List<String> chosen = TransferOptimiser.best(problem).senders();
    for (int i = 0; i < some.size(); i++) {
      Wanted copy = some.get(i);
      if (copies.contains(copy)) {
        senders
            .computeIfAbsent(copy.id(), one -> new TreeMap<>())
            .put(copy.receiver(), chosen.get(i));
        note(new Edge(chosen.get(i), copy.receiver()));
      }
    }
  }

  /** Adds the copies that a ring wants and that are yet to be begun, as far as there is room. */
  private void addLater(TableState table, RingHolders holders, List<Wanted> all) {
    for (Map.Entry<Integer, ActorState> actor : table.living().entrySet()) {
      ActorId id = table.actorId(actor.getKey());
      for (String server : holders.wanted(state, actor.getKey())) {
        Wanted copy = new Wanted(id, server);
        if (all.size() < TOGETHER_MAX
            && state.takesCopies(server)
            && actor.getValue().copyOn(server).isEmpty()
            && !all.contains(copy)) {
          all.add(copy);
        }
      }
    }
  }

  /** Returns the servers that can send a copy, the primary first. */
  private List<String> senders(Wanted copy) {
    ActorState actor = state.actor(copy.id()).orElseThrow();
    List<String> others =
        actor.copies().stream()
            .filter(known -> known.isRead() && state.alive(known.server()))
            .map(CopyState::server)
            .toList();
    return Stream.concat(Stream.of(actor.primary()).filter(others::contains), others.stream())
        .distinct()
        .toList();
  }

  /** Returns the transfers under way that could fail together with those that are chosen. */
  private List<Edge> edges(List<Need> needs) {
    Set<Edge> edges = new LinkedHashSet<>();
    for (Need need : needs) {
      edges.addAll(underWay.getOrDefault(need.receiver(), Set.of()));
      need.senders().forEach(server -> edges.addAll(underWay.getOrDefault(server, Set.of())));
    }
    return List.copyOf(edges);
  }

  private List<List<String>> groups(
      TableState table, Optional<RingHolders> ring, List<Wanted> copies) {
    if (ring.isPresent()) {
      return table.living().keySet().stream()
          .map(number -> ring.get().wanted(state, number))
          .distinct()
          .toList();
    }
    List<List<String>> groups = new ArrayList<>();
    for (Wanted copy : copies) {
      ActorState actor = state.actor(copy.id()).orElseThrow();
      TreeSet<String> group = new TreeSet<>();
      actor.copies().forEach(known -> group.add(known.server()));
      group.add(copy.receiver());
      groups.add(List.copyOf(group));
    }
    return groups.stream().distinct().toList();
  }

  private Set<String> failed(List<List<String>> groups) {
    TreeSet<String> failed = new TreeSet<>();
    groups.forEach(
        group -> group.stream().filter(server -> !state.alive(server)).forEach(failed::add));
    return failed;
  }
}
