package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.ring.Ring;
import io.uniserve.runtime.wire.ring.RingState;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The one function that changes cluster state: a state and the next control record give the next
 * state.
 */
public final class Replay {
  private Replay() {}

  /** Returns the state after one more record. */
  public static ClusterState apply(ClusterState state, ControlRecord record) {
    return switch (record) {
      case ControlRecord.ClusterFounded founded -> founded(state, founded);
      case ControlRecord.ControllersChanged changed -> controllers(state, changed);
      case ControlRecord.OwnerNamed named -> state.nextOwnedBy(named.owner());
      case ControlRecord.ServerJoined joined -> joined(state, joined);
      case ControlRecord.ServerFailed failed -> failed(state, failed);
      case ControlRecord.TableCreated created -> created(state, created);
      case ControlRecord.TableDropped dropped -> dropped(state, dropped);
      case ControlRecord.TableRecovered recovered -> recovered(state, recovered);
      case ControlRecord.TableRedefined redefined -> redefined(state, redefined);
      case ControlRecord.CopyAdded added ->
          actor(state, added.actor(), a -> added(a, added.server(), added.source(), next(state)));
      case ControlRecord.CopyReady ready ->
          actor(
              state,
              ready.actor(),
              a ->
                  status(a, ready.server(), Status.READY, next(state))
                      .withComplete(ready.server())
                      .withAnyMayLead(false));
      case ControlRecord.CopyUnready unready ->
          actor(state, unready.actor(), a -> unready(state, a, unready.server()));
      case ControlRecord.CopyLost lost ->
          actor(
              state,
              lost.actor(),
              a ->
                  status(a, lost.server(), Status.LOADING, next(state))
                      .withIncomplete(lost.server()));
      case ControlRecord.LossAccepted accepted ->
          anew(
              actor(state, accepted.actor(), a -> a.withAnyMayLead(true)),
              accepted.actor().table());
      case ControlRecord.ActorEmptied emptied ->
          anew(
              actor(state, emptied.actor(), a -> emptied(a, emptied, next(state))),
              emptied.actor().table());
      case ControlRecord.CopyRemoved removed ->
          actor(state, removed.actor(), a -> removed(a, removed.server()));
      case ControlRecord.PrimaryChanged changed ->
          actor(state, changed.actor(), a -> changed(state, a, changed));
      case ControlRecord.CopyRetiring retiring ->
          actor(
              state,
              retiring.actor(),
              a -> status(a, retiring.server(), Status.RETIRING, next(state)));
      case ControlRecord.MoveRequested requested ->
          actor(state, requested.actor(), a -> requested(a, requested));
      case ControlRecord.MoveEnded ended -> actor(state, ended.actor(), a -> ended(a, ended));
      case ControlRecord.ActorPlaced placed ->
          actor(
              state,
              placed.actor(),
              a -> a.withPlaced(Optional.of(new Placed(placed.servers(), placed.why()))));
      case ControlRecord.ActorPinned pinned -> actor(state, pinned.actor(), a -> pinned(a, pinned));
      case ControlRecord.SplitRequested requested ->
          actor(state, requested.actor(), a -> a.withReshaping(Optional.of(requested.split())));
      case ControlRecord.ActorSplit split -> split(state, split);
      case ControlRecord.SplitGivenUp givenUp ->
          actor(state, givenUp.actor(), a -> a.withReshaping(Optional.empty()));
      case ControlRecord.MergeRequested requested -> merging(state, requested);
      case ControlRecord.ActorsMerged merged -> merged(state, merged);
      case ControlRecord.MergeGivenUp givenUp -> notMerging(state, givenUp);
      case ControlRecord.RingBegun begun ->
          table(
              state,
              begun.table(),
              table -> table.withRing(RingState.of(new Ring(begun.members()))));
      case ControlRecord.RingChangeSubmitted submitted ->
          ring(state, submitted.table(), (table, ring) -> ring.with(submitted.change()));
      case ControlRecord.RingChangePlaced placed ->
          ring(
              state,
              placed.table(),
              (table, ring) -> ring.first(placed.number()).placed(table.definition().replicas()));
      case ControlRecord.RingChangeEnded ended ->
          ring(
              state,
              ended.table(),
              (table, ring) -> ring.first(ended.number()).ended(ended.done(), ended.why()));
      case ControlRecord.StreamCreated created -> {
        SortedMap<String, StreamState> streams = new TreeMap<>(state.streams());
        StreamDefinition definition = created.definition();
        streams.put(
            definition.name(),
            StreamState.created(created.identity(), created.table(), definition));
        yield state.nextWith(streams);
      }
      case ControlRecord.StreamTaken taken ->
          stream(state, taken.name(), stream -> stream.takenBy(taken.runner()));
      case ControlRecord.StreamAdvanced advanced ->
          stream(
              state,
              advanced.name(),
              stream ->
                  stream.advanced(advanced.topic(), advanced.partitions(), advanced.skipped()));
      case ControlRecord.StreamRedefined redefined ->
          stream(
              state,
              redefined.definition().name(),
              stream -> stream.redefined(redefined.definition()));
      case ControlRecord.StreamChanged changed ->
          stream(state, changed.name(), stream -> stream.with(changed.status(), changed.why()));
      case ControlRecord.StreamDropped dropped -> {
        SortedMap<String, StreamState> streams = new TreeMap<>(state.streams());
        streams.remove(dropped.name());
        yield state.nextWith(streams);
      }
      case ControlRecord.PlacementPaused paused -> paused(state, paused.paused());
      case ControlRecord.ServerDraining draining ->
          server(state, draining.server(), s -> s.withDraining(draining.draining()));
      case ControlRecord.ServerLeaving leaving ->
          server(
              state,
              leaving.server(),
              s -> s.incarnation() == leaving.incarnation() ? s.whichLeaves() : s);
      case ControlRecord.TransactionCommitted committed -> committed(state, committed);
      case ControlRecord.TransactionAborted aborted -> state.next(state.servers(), state.tables());
      case ControlRecord.ScalingSet set -> state.next(state.scaling().with(set.settings()));
      case ControlRecord.FleetChanged changed ->
          state.next(
              new ScalingState(
                  state.scaling().settings(),
                  changed.fleet(),
                  changed.timeMillis(),
                  changed.why()));
    };
  }

  private static ClusterState stream(
      ClusterState state, String name, UnaryOperator<StreamState> change) {
    SortedMap<String, StreamState> streams = new TreeMap<>(state.streams());
    streams.computeIfPresent(name, (same, stream) -> change.apply(stream));
    return state.nextWith(streams);
  }

  /** Returns the state in which the streams of a table that may have lost something begin anew. */
  private static ClusterState anew(ClusterState state, long table) {
    return streamsOf(state, table, stream -> Optional.of(stream.begunAnew(table)));
  }

  /** Returns the state with changed streams of a table; a stream may end. */
  private static ClusterState streamsOf(
      ClusterState state, long table, Function<StreamState, Optional<StreamState>> change) {
    if (state.streams().values().stream().noneMatch(stream -> stream.table() == table)) {
      return state;
    }
    SortedMap<String, StreamState> streams = new TreeMap<>();
    for (StreamState stream : state.streams().values()) {
      Optional<StreamState> next =
          stream.table() == table ? change.apply(stream) : Optional.of(stream);
      next.ifPresent(one -> streams.put(one.name(), one));
    }
    return state.with(streams);
  }

  private static long next(ClusterState state) {
    return state.version() + 1;
  }

  private static ClusterState founded(ClusterState state, ControlRecord.ClusterFounded founded) {
    return new ClusterState(
        founded.cluster(),
        next(state),
        state.controllers(),
        state.servers(),
        state.tables(),
        state.tableIds(),
        state.placementPaused(),
        state.scaling(),
        state.owners(),
        state.streams());
  }

  private static ClusterState controllers(
      ClusterState state, ControlRecord.ControllersChanged changed) {
    return new ClusterState(
        state.cluster(),
        next(state),
        List.copyOf(changed.controllers()),
        state.servers(),
        state.tables(),
        state.tableIds(),
        state.placementPaused(),
        state.scaling(),
        state.owners(),
        state.streams());
  }

  private static ClusterState paused(ClusterState state, boolean paused) {
    return new ClusterState(
        state.cluster(),
        next(state),
        state.controllers(),
        state.servers(),
        state.tables(),
        state.tableIds(),
        paused,
        state.scaling(),
        state.owners(),
        state.streams());
  }

  private static ClusterState joined(ClusterState state, ControlRecord.ServerJoined joined) {
    SortedMap<String, ServerState> servers = new TreeMap<>(state.servers());
    ServerState former = servers.get(joined.server());
    servers.put(
        joined.server(),
        new ServerState(
            joined.server(),
            joined.address(),
            joined.incarnation(),
            true,
            former != null && former.draining(),
            false));
    NavigableMap<Long, TableState> tables = new TreeMap<>();
    state.tables().forEach((id, table) -> tables.put(id, restarted(state, table, joined.server())));
    return state.next(servers, tables);
  }

  private static TableState restarted(ClusterState state, TableState table, String server) {
    return table.withActors(
        actor ->
            actor
                .copyOn(server)
                .map(
                    copy ->
                        copy.status() == Status.READY
                            ? status(actor, server, Status.LOADING, next(state))
                            : actor)
                .map(now -> away(state, now, server))
                .orElse(actor));
  }

  /**
   * Returns the actor once a life of a server has ended. Its copy is not complete any more if there
   * is a primary that goes on without it. A primary whose own server has restarted does not lead
   * before it is elected again, and until then nobody acknowledges anything.
   */
  private static ActorState away(ClusterState before, ActorState actor, String server) {
    boolean goesOn =
        !actor.primary().equals(server)
            && before.alive(actor.primary())
            && actor
                .copyOn(actor.primary())
                .filter(copy -> copy.status() != Status.LOADING)
                .isPresent();
    return goesOn ? actor.withIncomplete(server) : actor;
  }

  /**
   * Returns the actor without a complete copy that must be brought up to date, if another is left.
   * The primary's copy stays complete while nobody else is elected. A copy that is loading already
   * begins to load again, so that earlier reports about it do not count any more.
   */
  private static ActorState unready(ClusterState state, ActorState actor, String server) {
    List<CopyState> copies = new ArrayList<>(actor.copies());
    copies.replaceAll(copy -> copy.server().equals(server) ? copy.loadingSince(next(state)) : copy);
    ActorState loading = actor.withCopies(copies);
    boolean spared =
        !actor.primary().equals(server)
            && actor.complete().stream()
                .anyMatch(other -> !other.equals(server) && state.alive(other));
    return spared ? loading.withIncomplete(server) : loading;
  }

  private static ClusterState failed(ClusterState state, ControlRecord.ServerFailed failed) {
    ServerState server = state.servers().get(failed.server());
    SortedMap<String, ServerState> servers = new TreeMap<>(state.servers());
    if (server != null && server.incarnation() == failed.incarnation()) {
      servers.put(server.name(), server.dead());
    }
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    if (state.alive(failed.server()) && server.incarnation() == failed.incarnation()) {
      tables.replaceAll((id, table) -> bereaved(state, table, failed.server()));
    }
    return state.next(servers, tables);
  }

  private static TableState bereaved(ClusterState before, TableState table, String server) {
    return table.withActors(
        actor -> actor.complete().contains(server) ? away(before, actor, server) : actor);
  }

  private static ClusterState server(
      ClusterState state, String name, UnaryOperator<ServerState> change) {
    SortedMap<String, ServerState> servers = new TreeMap<>(state.servers());
    servers.computeIfPresent(name, (same, server) -> change.apply(server));
    return state.next(servers, state.tables());
  }

  private static ClusterState created(ClusterState state, ControlRecord.TableCreated created) {
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    tables.put(created.table(), created(created, next(state)));
    return state.next(state.servers(), tables);
  }

  private static TableState created(ControlRecord.TableCreated created, long version) {
    List<ActorState> actors = new ArrayList<>();
    for (List<String> servers : created.placement()) {
      if (servers.isEmpty()) {
        // The actor of a restored table had ended already.
        actors.add(new ActorState(1, "", List.of(), Commitment.NONE, List.of()));
        continue;
      }
      List<CopyState> copies =
          servers.stream().map(server -> CopyState.added(server, Status.EMPTY, version)).toList();
      actors.add(ActorState.unborn(servers.getFirst(), copies));
    }
    return new TableState(
        created.table(), created.definition(), created.origin(), Commitment.NONE, actors);
  }

  /**
   * Returns the state with one table replaced by another. A record about a table that was dropped
   * meanwhile changes nothing.
   */
  private static ClusterState recovered(
      ClusterState state, ControlRecord.TableRecovered recovered) {
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    TableState former = tables.remove(recovered.former());
    if (former != null) {
      TableState table = created(recovered.table(), next(state));
      tables.put(
          table.id(),
          table.withRecovery(
              Optional.of(Recovery.of(former, recovered.timeMillis(), recovered.why()))));
    }
    return streamsOf(
        state.next(state.servers(), tables),
        recovered.former(),
        stream -> Optional.of(stream.begunAnew(recovered.table().table())));
  }

  private static ClusterState dropped(ClusterState state, ControlRecord.TableDropped dropped) {
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    tables.remove(dropped.table());
    return streamsOf(
        state.next(state.servers(), tables), dropped.table(), stream -> Optional.empty());
  }

  private static ClusterState redefined(
      ClusterState state, ControlRecord.TableRedefined redefined) {
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    tables.computeIfPresent(
        redefined.table(), (id, table) -> table.with(redefined.definition(), redefined.next()));
    return state.next(state.servers(), tables);
  }

  private static ClusterState committed(
      ClusterState state, ControlRecord.TransactionCommitted committed) {
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    TableState table = tables.get(committed.table());
    if (table != null) {
      Commitment commitment =
          new Commitment(committed.transaction(), table.version() + 1, committed.timeMillis());
      TableState changed = table.withCommitted(commitment);
      for (int number : committed.actors()) {
        changed = changed.withActor(number, table.actors().get(number).withCommitted(commitment));
      }
      tables.put(table.id(), changed);
    }
    return state.next(state.servers(), tables);
  }

  /**
   * Returns the state with an actor changed. Records about an actor of a table that was dropped
   * meanwhile change nothing.
   */
  private static ClusterState actor(
      ClusterState state, ActorId id, UnaryOperator<ActorState> change) {
    Optional<ActorState> actor = state.actor(id);
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    if (actor.isPresent()) {
      TableState table = tables.get(id.table());
      tables.put(id.table(), table.withActor(id.number(), change.apply(actor.get())));
    }
    return state.next(state.servers(), tables);
  }

  private static ClusterState split(ClusterState state, ControlRecord.ActorSplit split) {
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    TableState table = tables.get(split.actor().table());
    if (table != null) {
      ActorState whole = table.actors().get(split.actor().number());
      Invariant.ONE_PRIMARY.require(
          split.epoch() > whole.epoch() && split.servers().getFirst().equals(whole.primary()),
          () -> split + " of " + whole);
      List<CopyState> copies = new ArrayList<>();
      for (String server : split.servers()) {
        copies.add(CopyState.added(server, Status.READY, next(state)));
      }
      ActorState kept =
          whole.withPrimary(split.epoch(), whole.primary()).withReshaping(Optional.empty());
      ActorState made =
          new ActorState(
              split.firstEpoch(),
              whole.primary(),
              copies,
              whole.committed(),
              complete(state, whole.primary(), split.servers()));
      tables.put(table.id(), table.withSplit(kept, split.cut(), made));
    }
    return state.next(state.servers(), tables);
  }

  private static ClusterState merging(ClusterState state, ControlRecord.MergeRequested requested) {
    int first = requested.first().number();
    int second = requested.second();
    return table(
        state,
        requested.first().table(),
        table ->
            table
                .reshaping(first, Optional.of(new Reshaping.Merging(second, requested.why())))
                .reshaping(second, Optional.of(new Reshaping.Merging(first, requested.why()))));
  }

  private static ClusterState notMerging(ClusterState state, ControlRecord.MergeGivenUp givenUp) {
    return table(
        state,
        givenUp.first().table(),
        table ->
            table
                .reshaping(givenUp.first().number(), Optional.empty())
                .reshaping(givenUp.second(), Optional.empty()));
  }

  private static ClusterState merged(ClusterState state, ControlRecord.ActorsMerged merged) {
    return table(
        state,
        merged.table(),
        table -> {
          ActorState first = table.actors().get(merged.merge().first());
          ActorState second = table.actors().get(merged.merge().second());
          Invariant.VALID_ASSIGNMENT.require(
              !first.ended() && !second.ended(), () -> merged + " of " + first + ", " + second);
          List<CopyState> copies = new ArrayList<>();
          for (String server : merged.servers()) {
            copies.add(CopyState.added(server, Status.READY, next(state)));
          }
          Commitment last =
              first.committed().version() >= second.committed().version()
                  ? first.committed()
                  : second.committed();
          ActorState made =
              new ActorState(
                  merged.firstEpoch(),
                  merged.servers().getFirst(),
                  copies,
                  last,
                  complete(state, merged.servers().getFirst(), merged.servers()));
          for (String pin : first.pins()) {
            made = made.withPin(pin, true);
          }
          for (String pin : second.pins()) {
            made = made.withPin(pin, true);
          }
          return table.withMerged(merged.merge(), made);
        });
  }

  /**
   * Returns the state with a table changed. Records about a table that was dropped meanwhile change
   * nothing.
   */
  private static ClusterState table(ClusterState state, long id, UnaryOperator<TableState> change) {
    NavigableMap<Long, TableState> tables = new TreeMap<>(state.tables());
    tables.computeIfPresent(id, (same, table) -> change.apply(table));
    return state.next(state.servers(), tables);
  }

  private static ClusterState ring(
      ClusterState state, long id, BiFunction<TableState, RingState, RingState> change) {
    return table(
        state, id, table -> table.withRing(change.apply(table, table.ring().orElseThrow())));
  }

  private static ActorState added(
      ActorState actor, String server, Optional<String> source, long version) {
    Invariant.VALID_ASSIGNMENT.require(
        actor.copyOn(server).isEmpty(), () -> "a second copy on " + server + " of " + actor);
    List<CopyState> copies = new ArrayList<>(actor.copies());
    copies.add(CopyState.added(server, Status.LOADING, version).from(source));
    return actor.withCopies(copies);
  }

  private static ActorState status(ActorState actor, String server, Status status, long version) {
    List<CopyState> copies = new ArrayList<>(actor.copies());
    copies.replaceAll(copy -> copy.server().equals(server) ? copy.with(status, version) : copy);
    return actor.withCopies(copies);
  }

  private static ActorState removed(ActorState actor, String server) {
    List<CopyState> copies = new ArrayList<>(actor.copies());
    copies.removeIf(copy -> copy.server().equals(server));
    return actor.withCopies(copies).withIncomplete(server);
  }

  /** Returns the servers for which a primary waits from its first update on, and its own. */
  private static List<String> complete(ClusterState state, String primary, List<String> servers) {
    return servers.stream()
        .filter(server -> server.equals(primary) || state.alive(server))
        .sorted()
        .toList();
  }

  private static ActorState emptied(
      ActorState actor, ControlRecord.ActorEmptied emptied, long version) {
    Invariant.ONE_PRIMARY.require(
        emptied.epoch() > actor.epoch(), () -> emptied + " after epoch " + actor.epoch());
    String primary = emptied.servers().getFirst();
    return actor
        .withCopies(
            emptied.servers().stream()
                .map(server -> CopyState.added(server, Status.EMPTY, version))
                .toList())
        .withMove(Optional.empty())
        .withPrimary(emptied.epoch(), primary)
        .withComplete(List.of(primary))
        .withAnyMayLead(true);
  }

  /**
   * Returns the actor pinned or unpinned. The wish of a policy that did not know of the pin becomes
   * void.
   */
  private static ActorState pinned(ActorState actor, ControlRecord.ActorPinned pinned) {
    boolean known =
        !pinned.pinned() || actor.placed().filter(wish -> wish.wants(pinned.server())).isPresent();
    ActorState next = actor.withPin(pinned.server(), pinned.pinned());
    return known ? next : next.withPlaced(Optional.empty());
  }

  private static ActorState requested(ActorState actor, ControlRecord.MoveRequested requested) {
    Invariant.VALID_ASSIGNMENT.require(
        actor.move().isEmpty() && actor.copyOn(requested.to()).isEmpty(),
        () -> requested + " of " + actor);
    return actor
        .withMove(Optional.of(new MoveState(requested.from(), requested.to(), requested.why())))
        .withPlaced(actor.placed().map(placed -> placed.moved(requested.from(), requested.to())));
  }

  /**
   * Returns the actor after the end of a move. If the copy did not move, it is not wanted there any
   * more, or the move would be tried for ever.
   */
  private static ActorState ended(ActorState actor, ControlRecord.MoveEnded ended) {
    Optional<Placed> placed =
        ended.outcome() == ControlRecord.MoveEnded.Outcome.DONE
            ? actor.placed()
            : actor
                .placed()
                .map(
                    wanted ->
                        actor.copyOn(ended.from()).isPresent()
                            ? wanted.moved(ended.to(), ended.from())
                            : wanted)
                .map(
                    wanted ->
                        actor.copyOn(ended.to()).isPresent() ? wanted : wanted.without(ended.to()));
    return actor.withMove(Optional.empty()).withPlaced(placed);
  }

  private static ActorState changed(
      ClusterState state, ActorState actor, ControlRecord.PrimaryChanged changed) {
    Invariant.ONE_PRIMARY.require(
        changed.epoch() > actor.epoch(),
        () -> "epoch " + changed.epoch() + " after " + actor.epoch());
    Invariant.VALID_ASSIGNMENT.require(
        actor.copyOn(changed.server()).isPresent(),
        () -> changed.server() + " has no copy to be primary of");
    ActorState ready = status(actor, changed.server(), Status.READY, next(state));
    List<String> read =
        ready.copies().stream().filter(CopyState::isRead).map(CopyState::server).toList();
    return ready
        .withPrimary(changed.epoch(), changed.server())
        .withComplete(complete(state, changed.server(), read))
        .withAnyMayLead(false);
  }
}
