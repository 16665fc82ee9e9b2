package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.stream.StreamState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The cluster as of one version of the control log. Immutable; {@link Replay} makes the next of it.
 *
 * @param cluster the cluster's identity, chosen when its control log began; empty before
 * @param version the number of control records replayed
 * @param controllers the addresses of the present members of the controllers' group; empty until
 *     they are recorded
 * @param servers every server that ever joined, by name
 * @param tables every table, by identity
 * @param tableIds the identity of each table, by name
 * @param placementPaused true if placement policies change nothing at present
 * @param scaling the decided size of the cluster
 * @param owners the names, drawn at random, in which this cluster wrote or writes to the durable
 *     store, the present one last; at most {@value #OWNERS_MAX}. A copy of this control log that is
 *     used elsewhere draws others
 * @param streams every stream, by name
 */
public record ClusterState(
    String cluster,
    long version,
    List<Address> controllers,
    SortedMap<String, ServerState> servers,
    NavigableMap<Long, TableState> tables,
    SortedMap<String, Long> tableIds,
    boolean placementPaused,
    ScalingState scaling,
    List<String> owners,
    SortedMap<String, StreamState> streams) {

  /** The number of former names that are known. */
  public static final int OWNERS_MAX = 100;

  /** The state before the first record. */
  public static final ClusterState EMPTY =
      new ClusterState(
          "",
          0,
          List.of(),
          Collections.emptySortedMap(),
          Collections.emptyNavigableMap(),
          Collections.emptySortedMap(),
          false);

  /** Creates the state of a cluster that keeps its size. */
  public ClusterState(
      String cluster,
      long version,
      List<Address> controllers,
      SortedMap<String, ServerState> servers,
      NavigableMap<Long, TableState> tables,
      SortedMap<String, Long> tableIds,
      boolean placementPaused) {
    this(
        cluster,
        version,
        controllers,
        servers,
        tables,
        tableIds,
        placementPaused,
        ScalingState.NONE,
        List.of(),
        Collections.emptySortedMap());
  }

  /** Returns the state that a snapshot was made of. */
  public static ClusterState of(ClusterSnapshot snapshot) {
    TreeMap<String, ServerState> servers = new TreeMap<>();
    snapshot.servers().forEach(server -> servers.put(server.name(), server));
    TreeMap<Long, TableState> tables = new TreeMap<>();
    TreeMap<String, Long> ids = new TreeMap<>();
    snapshot
        .tables()
        .forEach(
            table -> {
              tables.put(table.id(), table);
              ids.put(table.definition().name(), table.id());
            });
    TreeMap<String, StreamState> streams = new TreeMap<>();
    snapshot.streams().forEach(stream -> streams.put(stream.name(), stream));
    return new ClusterState(
        snapshot.cluster(),
        snapshot.version(),
        List.copyOf(snapshot.controllers()),
        Collections.unmodifiableSortedMap(servers),
        Collections.unmodifiableNavigableMap(tables),
        Collections.unmodifiableSortedMap(ids),
        snapshot.placementPaused(),
        snapshot.scaling(),
        List.copyOf(snapshot.owners()),
        Collections.unmodifiableSortedMap(streams));
  }

  /** Returns all of the state in a form that can be stored and sent. */
  public ClusterSnapshot snapshot() {
    return new ClusterSnapshot(
        cluster,
        version,
        controllers,
        List.copyOf(servers.values()),
        List.copyOf(tables.values()),
        placementPaused,
        scaling,
        owners,
        List.copyOf(streams.values()));
  }

  /** Returns the state one record later, with these servers and tables. */
  ClusterState next(
      SortedMap<String, ServerState> newServers, NavigableMap<Long, TableState> newTables) {
    TreeMap<String, Long> ids = new TreeMap<>();
    newTables.forEach((id, table) -> ids.put(table.definition().name(), id));
    return new ClusterState(
        cluster,
        version + 1,
        controllers,
        Collections.unmodifiableSortedMap(newServers),
        Collections.unmodifiableNavigableMap(newTables),
        Collections.unmodifiableSortedMap(ids),
        placementPaused,
        scaling,
        owners,
        streams);
  }

  /** Returns the state one record later, with another decision of its size. */
  ClusterState next(ScalingState newScaling) {
    return new ClusterState(
        cluster,
        version + 1,
        controllers,
        servers,
        tables,
        tableIds,
        placementPaused,
        newScaling,
        owners,
        streams);
  }

  /** Returns the state one record later, with other streams. */
  ClusterState nextWith(SortedMap<String, StreamState> newStreams) {
    return new ClusterState(
        cluster,
        version + 1,
        controllers,
        servers,
        tables,
        tableIds,
        placementPaused,
        scaling,
        owners,
        Collections.unmodifiableSortedMap(newStreams));
  }

  /** Returns the same state with other streams. */
  ClusterState with(SortedMap<String, StreamState> newStreams) {
    return new ClusterState(
        cluster,
        version,
        controllers,
        servers,
        tables,
        tableIds,
        placementPaused,
        scaling,
        owners,
        Collections.unmodifiableSortedMap(newStreams));
  }

  /**
   * Returns the state one record later, in which the cluster writes to the durable store in another
   * name.
   */
  ClusterState nextOwnedBy(String owner) {
    List<String> newest = new ArrayList<>(owners);
    newest.add(owner);
    return new ClusterState(
        cluster,
        version + 1,
        controllers,
        servers,
        tables,
        tableIds,
        placementPaused,
        scaling,
        List.copyOf(newest.subList(Math.max(0, newest.size() - OWNERS_MAX), newest.size())),
        streams);
  }

  /** Returns the table of this name. */
  public Optional<TableState> table(String name) {
    return Optional.ofNullable(tableIds.get(name)).map(tables::get);
  }

  /**
   * Returns the failure of a request for a table that is not there any more. If the table was
   * recovered, another has its name by now, and the request may be repeated for that.
   */
  public UniserveException gone(long table) {
    return gone(table, "there is no table " + table);
  }

  /** Returns the failure of a request for a known table that is not there any more. */
  public UniserveException gone(TableState known) {
    return gone(known.id(), "table '" + known.definition().name() + "' was dropped meanwhile");
  }

  private UniserveException gone(long table, String dropped) {
    return tables.values().stream()
        .filter(known -> known.recovery().filter(it -> it.replaced(table)).isPresent())
        .findFirst()
        .map(
            known ->
                new UniserveException(
                    ErrorCode.UNAVAILABLE,
                    "table '"
                        + known.definition().name()
                        + "' was recovered meanwhile, after a loss: "
                        + known.recovery().get().why()))
        .orElseGet(() -> new UniserveException(ErrorCode.NOT_FOUND, dropped));
  }

  /**
   * Returns the table of this name.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}
   */
  public TableState requireTable(String name) {
    return table(name)
        .orElseThrow(
            () -> new UniserveException(ErrorCode.NOT_FOUND, "there is no table '" + name + "'"));
  }

  /**
   * Returns the stream of this name.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}
   */
  public StreamState requireStream(String name) {
    StreamState stream = streams.get(name);
    if (stream == null) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no stream '" + name + "'");
    }
    return stream;
  }

  /** Returns the assignment of this actor, unless its table was dropped. */
  public Optional<ActorState> actor(ActorId id) {
    TableState table = tables.get(id.table());
    boolean exists = table != null && id.number() >= 0 && id.number() < table.actors().size();
    return exists ? Optional.of(table.actors().get(id.number())) : Optional.empty();
  }

  /** Gives every actor of every table to an action; those that have ended included. */
  public void forEachActor(BiConsumer<ActorId, ActorState> action) {
    tables.values().forEach(table -> table.forEachActor(action));
  }

  /**
   * Returns whether an actor waits for a server with a complete copy of it: no such server is
   * alive, and nothing else has all that must not be lost.
   */
  public boolean waits(ActorId id) {
    Optional<ActorState> actor = actor(id);
    return actor.isPresent()
        && !actor.get().ended()
        && !actor.get().anyMayLead()
        && tables.get(id.table()).definition().durability() != Durability.SYNCHRONOUS
        && actor.get().complete().stream().noneMatch(this::alive);
  }

  /**
   * Returns whether this server may be given copies: it is alive, and neither drained nor about to
   * leave.
   */
  public boolean takesCopies(String server) {
    ServerState state = servers.get(server);
    return state != null && state.alive() && !state.draining() && !state.leaving();
  }

  /** Returns whether this server is alive. */
  public boolean alive(String server) {
    ServerState state = servers.get(server);
    return state != null && state.alive();
  }
}
