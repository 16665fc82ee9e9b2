package io.uniserve.runtime.control.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.runtime.control.load.LoadSnapshot;
import io.uniserve.runtime.wire.PlacementMessage.Change;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** The difference between the present assignment and a wanted one. */
final class PlacementChanges {
  private PlacementChanges() {}

  /**
   * Returns the actors whose servers change, those with the greatest load first.
   *
   * @param copiesMax the most copies that an actor gets for its load
   * @throws UniserveException with {@link ErrorCode#INTERNAL} if the policy broke its contract
   */
  static List<Change> of(ClusterLoad before, Placement wanted, int copiesMax) {
    List<Change> changes = new ArrayList<>();
    before
        .actors()
        .forEach(
            (id, actor) -> {
              List<String> to = servers(before, id, actor, wanted, copiesMax);
              if (!new TreeSet<>(to).equals(new TreeSet<>(actor.copies()))) {
                changes.add(
                    new Change(
                        id,
                        actor.copies(),
                        to,
                        wanted.reasons().getOrDefault(id, "its policy wants it so")));
              }
            });
    changes.sort(
        Comparator.comparingDouble((Change change) -> before.actors().get(change.actor()).cost())
            .reversed());
    return changes;
  }

  /**
   * Returns an actor's servers: pinned copies first, then those with the greatest shares, as many
   * as allowed.
   */
  private static List<String> servers(
      ClusterLoad before, ActorId id, ActorLoad actor, Placement wanted, int copiesMax) {
    List<Placement.Copy> copies = new ArrayList<>(wanted.of(id));
    requireValid(before, id, actor, copies);
    int most = Math.max(copiesMax, Math.max(actor.replicas(), actor.pins().size()));
    if (copies.size() > most) {
      copies.sort(
          Comparator.comparing((Placement.Copy copy) -> !actor.pins().contains(copy.server()))
              .thenComparing(Comparator.comparingDouble(Placement.Copy::readShare).reversed()));
      copies = copies.subList(0, most);
    }
    return copies.stream().map(Placement.Copy::server).toList();
  }

  private static void requireValid(
      ClusterLoad before, ActorId id, ActorLoad actor, List<Placement.Copy> copies) {
    List<String> servers = copies.stream().map(Placement.Copy::server).distinct().toList();
    int least = Math.min(actor.replicas(), before.servers().size());
    boolean valid =
        servers.size() == copies.size()
            && servers.size() >= least
            && before.servers().keySet().containsAll(servers)
            && servers.containsAll(actor.pins());
    if (!valid) {
      throw new UniserveException(
          ErrorCode.INTERNAL,
          "the placement policy puts actor " + id + ", " + actor + ", on " + copies);
    }
  }

  /** Returns whether some actor is being moved, or has a wanted copy that is not there yet. */
  static boolean underWay(ClusterState state) {
    for (TableState table : state.tables().values()) {
      int replicas = table.definition().replicas();
      for (ActorState actor : table.actors()) {
        if (actor.move().isPresent()
            || actor.placed().isPresent()
                && !isExactly(actor)
                && !isPlaced(state, actor, replicas)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether an actor is exactly as it is wanted; most are. */
  private static boolean isExactly(ActorState actor) {
    List<String> wanted = actor.placed().orElseThrow().servers();
    if (!actor.pins().isEmpty() || actor.copies().size() != wanted.size()) {
      return false;
    }
    for (CopyState copy : actor.copies()) {
      if (copy.status() != CopyState.Status.READY || !wanted.contains(copy.server())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlaced(ClusterState state, ActorState actor, int replicas) {
    List<String> wanted = actor.wanted().stream().filter(state::takesCopies).toList();
    return wanted.stream()
            .allMatch(server -> actor.copyOn(server).filter(copy -> copy.isRead()).isPresent())
        && LoadSnapshot.copies(state, actor).size() <= Math.max(replicas, wanted.size());
  }

  /** Returns whether some actor lacks a copy on a server to which it is pinned. */
  static boolean pinUnmet(ClusterLoad cluster) {
    return cluster.actors().values().stream()
        .anyMatch(actor -> !actor.copies().containsAll(actor.pins()));
  }
}
