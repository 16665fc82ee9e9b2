package io.uniserve.runtime.control.load;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.LoadMessage.CopyFigures;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.LoadMessage.ReportQueries;
import io.uniserve.runtime.wire.LoadMessage.ReportServer;
import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import io.uniserve.runtime.wire.LoadMessage.SetFigures;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The load that the coordinator knows (DPA §4.4): the newest figures of every server, of every
 * copy, and of the query sets of clients. It is bounded by cluster state and by the limits below. A
 * new coordinator begins with nothing. Used on the deciding thread only.
 */
public final class LoadView {
  /** The number of clients whose queries are known. */
  static final int REPORTERS_MAX = 1_000;

  /** The number of query sets of one client. */
  static final int SETS_OF_REPORTER_MAX = 1_000;

  /** The time after which a silent client counts as gone. */
  private static final Duration FORGET_AFTER = Duration.ofSeconds(30);

  private final Map<String, ServerEntry> servers = new TreeMap<>();
  private final Map<String, Reporter> reporters = new TreeMap<>();

  private record ServerEntry(
      long incarnation, ServerFigures figures, TreeMap<ActorId, CopyFigures> copies) {}

  private record SetName(long table, List<Integer> actors) {}

  /** One client. */
  private static final class Reporter {
    private final Map<SetName, Double> sets = new LinkedHashMap<>();
    private double othersPerSecond;
    private long heardAtNanos;
  }

  /** Takes a report of a server whose life is known to be the present one. */
  public void take(ReportServer report) {
    ServerEntry known = servers.get(report.server());
    TreeMap<ActorId, CopyFigures> copies =
        known != null && known.incarnation() == report.incarnation()
            ? known.copies()
            : new TreeMap<>();
    report.copies().forEach(copy -> copies.put(copy.actor(), copy));
    servers.put(report.server(), new ServerEntry(report.incarnation(), report.figures(), copies));
  }

  /** Takes a report of a client. */
  public void take(ReportQueries report, long nowNanos) {
    if (!reporters.containsKey(report.reporter()) && reporters.size() >= REPORTERS_MAX) {
      return;
    }
    Reporter reporter = reporters.computeIfAbsent(report.reporter(), name -> new Reporter());
    reporter.heardAtNanos = nowNanos;
    reporter.othersPerSecond = report.othersPerSecond();
    for (SetFigures set : report.sets()) {
      SetName name = new SetName(set.table(), set.actors());
      if (set.perSecond() <= 0) {
        reporter.sets.remove(name);
      } else if (set.actors().size() <= LoadMessage.SET_ACTORS_MAX
          && (reporter.sets.size() < SETS_OF_REPORTER_MAX || reporter.sets.containsKey(name))) {
        reporter.sets.put(name, set.perSecond());
      }
    }
  }

  /**
   * Drops figures of tables and servers that the cluster does not have any more, and of clients
   * that are gone.
   */
  public void prune(ClusterState state, long nowNanos) {
    servers
        .entrySet()
        .removeIf(
            entry -> {
              ServerState server = state.servers().get(entry.getKey());
              return server == null
                  || !server.alive()
                  || server.incarnation() != entry.getValue().incarnation();
            });
    servers.forEach(
        (name, entry) -> entry.copies().keySet().removeIf(id -> !holds(state, name, id)));
    reporters
        .values()
        .removeIf(reporter -> nowNanos - reporter.heardAtNanos > FORGET_AFTER.toNanos());
    reporters
        .values()
        .forEach(
            reporter ->
                reporter.sets.keySet().removeIf(set -> !state.tables().containsKey(set.table())));
  }

  private static boolean holds(ClusterState state, String server, ActorId id) {
    return state.actor(id).flatMap(actor -> actor.copyOn(server)).isPresent();
  }

  /** Returns whether every living server has reported its load to this coordinator. */
  public boolean isComplete(ClusterState state) {
    return state.servers().values().stream().filter(ServerState::alive).allMatch(this::knows);
  }

  private boolean knows(ServerState server) {
    ServerEntry entry = servers.get(server.name());
    return entry != null && entry.incarnation() == server.incarnation();
  }

  /**
   * Returns the newest figures of a server; {@link ServerFigures#NONE} if its present life has
   * reported none yet.
   */
  public ServerFigures figures(ServerState server) {
    return knows(server) ? servers.get(server.name()).figures() : ServerFigures.NONE;
  }

  /**
   * Returns the load of each actor that does or occupies anything: all its copies together, in
   * worker threads.
   */
  public TreeMap<ActorId, LoadMessage.ActorLoad> actors(ClusterState state) {
    Map<String, Double> units = threadsPerCost(state);
    TreeMap<ActorId, LoadMessage.ActorLoad> loads = new TreeMap<>();
    servers.forEach(
        (server, entry) ->
            entry
                .copies()
                .forEach(
                    (id, copy) -> {
                      if (holds(state, server, id)) {
                        double unit = units.getOrDefault(engineOf(state, id), 0.0);
                        loads.merge(id, load(state, copy, unit), LoadView::sum);
                      }
                    }));
    return loads;
  }

  private static LoadMessage.ActorLoad load(ClusterState state, CopyFigures copy, double unit) {
    int copies = state.actor(copy.actor()).map(ActorState::copies).map(List::size).orElse(0);
    return new LoadMessage.ActorLoad(
        copy.actor(), copy.cost() * unit, copy.operatorsPerSecond(), copy.usage(), copies);
  }

  private static LoadMessage.ActorLoad sum(LoadMessage.ActorLoad a, LoadMessage.ActorLoad b) {
    return new LoadMessage.ActorLoad(
        a.actor(),
        a.load() + b.load(),
        a.operatorsPerSecond() + b.operatorsPerSecond(),
        new Usage(
            Math.max(a.usage().memoryBytes(), b.usage().memoryBytes()),
            Math.max(a.usage().diskBytes(), b.usage().diskBytes())),
        a.copies());
  }

  /**
   * Returns the worker threads for a unit of cost of each engine. Each engine reports cost in a
   * unit of its own. The unit's worth is the worker threads that the engine's actors keep busy,
   * divided by the cost that they report. So actors of several engines can be compared.
   */
  private Map<String, Double> threadsPerCost(ClusterState state) {
    Map<String, Double> busy = new TreeMap<>();
    Map<String, Double> cost = new TreeMap<>();
    for (ServerEntry entry : servers.values()) {
      for (CopyFigures copy : entry.copies().values()) {
        busy.merge(engineOf(state, copy.actor()), copy.busy(), Double::sum);
        cost.merge(engineOf(state, copy.actor()), copy.cost(), Double::sum);
      }
    }
    busy.replaceAll((engine, threads) -> cost.get(engine) > 0 ? threads / cost.get(engine) : 0);
    return busy;
  }

  private static String engineOf(ClusterState state, ActorId id) {
    TableState table = state.tables().get(id.table());
    return table == null ? "" : table.definition().engine();
  }

  /** Returns every query set with its frequency over all clients, the most frequent first. */
  List<SetFigures> sets() {
    Map<SetName, Double> sums = new LinkedHashMap<>();
    reporters
        .values()
        .forEach(
            reporter -> reporter.sets.forEach((set, often) -> sums.merge(set, often, Double::sum)));
    List<SetFigures> sets = new ArrayList<>(sums.size());
    sums.forEach((name, often) -> sets.add(new SetFigures(name.table(), name.actors(), often)));
    sets.sort(Comparator.comparingDouble(SetFigures::perSecond).reversed());
    return sets;
  }

  /** Returns all load, for people, within bounds. */
  public Load told(ClusterState state) {
    List<LoadMessage.ServerLoad> told = new ArrayList<>();
    for (ServerState server : state.servers().values()) {
      if (server.alive()) {
        told.add(new LoadMessage.ServerLoad(server.name(), knows(server), figures(server)));
      }
    }
    List<LoadMessage.ActorLoad> busiest = new ArrayList<>(actors(state).values());
    busiest.sort(Comparator.comparingDouble(LoadMessage.ActorLoad::load).reversed());
    List<SetFigures> sets = sets();
    double others =
        reporters.values().stream().mapToDouble(reporter -> reporter.othersPerSecond).sum();
    return new Load(
        told,
        List.copyOf(busiest.subList(0, Math.min(Load.ACTORS_MAX, busiest.size()))),
        List.copyOf(sets.subList(0, Math.min(Load.TOLD_SETS_MAX, sets.size()))),
        sets.size(),
        others);
  }

  /** Returns the living copies of an actor that may stay where they are, the primary first. */
  public static List<String> staying(ClusterState state, ActorState actor) {
    return actor.copies().stream()
        .map(CopyState::server)
        .filter(state::takesCopies)
        .sorted(Comparator.comparing(server -> !server.equals(actor.primary())))
        .toList();
  }
}
