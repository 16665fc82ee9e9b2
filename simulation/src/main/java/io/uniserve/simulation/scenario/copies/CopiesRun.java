package io.uniserve.simulation.scenario.copies;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.disk.SimulatedDisk;
import io.uniserve.simulation.model.BatchDefect;
import io.uniserve.simulation.model.ModelFailures;
import io.uniserve.simulation.model.ModelObserver;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.ClusterPrograms;
import io.uniserve.simulation.scenario.cluster.store.StoreFaults;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** One run: both clusters, their store, and what their clients were told. */
final class CopiesRun {
  private static final String CLIENT = "client";

  private final SimulatedCluster cluster;
  private final ClusterShape shape;
  private final SimulatedDisk disk;
  private final StoreFaults storeFaults;
  private final SharedStore store;
  private final SiteDefect defect;
  private final Map<Site, Appender> appenders = new EnumMap<>(Site.class);
  private final Map<Site, List<Operation>> acknowledged = new EnumMap<>(Site.class);

  CopiesRun(SimulatedCluster cluster, ClusterShape shape, SiteDefect defect) {
    this.cluster = cluster;
    this.shape = shape;
    this.defect = defect;
    disk = cluster.sharedDisk();
    storeFaults = new StoreFaults(cluster, disk);
    store = new SharedStore(cluster.scheduler()::note);
    AtomicLong numbers = new AtomicLong();
    for (Site site : Site.values()) {
      List<Operation> told = new ArrayList<>();
      acknowledged.put(site, told);
      appenders.put(site, new Appender(shape.table(), numbers, told::add, "restored"));
      add(site);
    }
    cluster.describe(this::description);
  }

  /** Returns the names of the processes of a site that keep something on their disks. */
  static List<String> keepers(ClusterShape shape, Site site) {
    return Stream.concat(shape.controllerNames().stream(), shape.serverNames().stream())
        .map(site::at)
        .toList();
  }

  /** Returns the names of all processes of a site. */
  static List<String> processes(ClusterShape shape, Site site) {
    return Stream.concat(keepers(shape, site).stream(), Stream.of(site.at(CLIENT))).toList();
  }

  private void add(Site site) {
    ClusterPrograms programs =
        new ClusterPrograms(
            disk,
            storeFaults,
            (shared, environment) -> store.of(shared, site),
            (shared, environment) -> defect.of(shared, site.name()),
            BatchDefect.NONE,
            shape);
    for (String name : shape.controllerNames()) {
      cluster.add(
          site.at(name),
          environment -> programs.controller(new SiteEnvironment(environment, site), name));
    }
    for (String name : shape.serverNames()) {
      cluster.add(
          site.at(name),
          environment ->
              programs.server(
                  new SiteEnvironment(environment, site),
                  name,
                  ModelObserver.NOBODY,
                  ModelFailures.NONE));
    }
    cluster.add(
        site.at(CLIENT),
        environment -> {
          SiteEnvironment here = new SiteEnvironment(environment, site);
          appenders.get(site).live(here, programs.client(here));
        });
  }

  StoreFaults storeFaults() {
    return storeFaults;
  }

  void start(Site site) {
    processes(site).forEach(SimulatedProcess::start);
  }

  /** Ends all processes of a site without warning. */
  void end(Site site) {
    processes(site).forEach(SimulatedProcess::crash);
  }

  private List<SimulatedProcess> processes(Site site) {
    return processes(shape, site).stream().map(cluster::process).toList();
  }

  /** Copies the disks of the original as they are at this moment. */
  void copyDisks() {
    cluster.scheduler().note("the disks are copied");
    List<String> originals = keepers(shape, Site.ORIGINAL);
    List<String> copies = keepers(shape, Site.COPY);
    for (int i = 0; i < originals.size(); i++) {
      cluster.process(copies.get(i)).disk().copy(cluster.process(originals.get(i)).disk());
    }
  }

  /** Returns whether clients of a site had updates of all actors acknowledged. */
  boolean acknowledges(Site site) {
    return appenders.get(site).acknowledgedEverywhere() > 0;
  }

  /** Returns the number of updates of all actors that clients of a site had acknowledged. */
  int acknowledgedEverywhere(Site site) {
    return appenders.get(site).acknowledgedEverywhere();
  }

  /**
   * Returns the site that is not refused, if all servers of the other that have actors are, and say
   * so.
   */
  Optional<Site> winner() {
    return Stream.of(Site.values())
        .filter(site -> answered(site) && refused(site).isEmpty())
        .filter(site -> refused(site.other()).containsAll(holders(site.other())))
        .findFirst();
  }

  private List<String> holders(Site site) {
    List<String> holders = appenders.get(site).holders();
    return holders.isEmpty() ? shape.serverNames() : holders;
  }

  private boolean answered(Site site) {
    return appenders.get(site).statuses().size() == shape.servers();
  }

  private List<String> refused(Site site) {
    return appenders.get(site).statuses().stream()
        .filter(
            status ->
                status.storeRefusal().filter(why -> why.contains("in use elsewhere")).isPresent())
        .map(ServerStatus::server)
        .toList();
  }

  void stop() {
    appenders.values().forEach(Appender::stop);
  }

  boolean finished() {
    return appenders.values().stream().allMatch(Appender::finished);
  }

  void readAll(Site site) {
    appenders.get(site).readAll();
  }

  boolean read(Site site) {
    return appenders.get(site).restored().isPresent();
  }

  /**
   * Checks that the owner of the store has everything that either acknowledged, once, and that the
   * store restores exactly that.
   */
  void check(Site winner) {
    Invariant.ONE_PRIMARY.require(
        store.owner().equals(Optional.of(winner)),
        () -> winner + " is not refused, but " + store.owner() + " owns the store");
    SortedMap<Integer, List<Operation>> journals = appenders.get(winner).journals().orElseThrow();
    Set<Operation> present = new HashSet<>();
    journals
        .values()
        .forEach(
            journal ->
                journal.forEach(
                    operation ->
                        Invariant.SAME_ORDER_ON_COPIES.require(
                            present.add(operation), () -> operation + " is there twice")));
    acknowledged.forEach(
        (site, told) ->
            told.forEach(
                operation ->
                    Invariant.ACKNOWLEDGED_SURVIVES.require(
                        present.contains(operation),
                        () -> site + " acknowledged " + operation + ", which is gone")));
    SortedMap<Integer, List<Operation>> restored = appenders.get(winner).restored().orElseThrow();
    Invariant.ACKNOWLEDGED_SURVIVES.require(
        restored.equals(journals), () -> "restored is " + restored + " instead of " + journals);
    cluster
        .scheduler()
        .note(
            winner
                + " owns the store after "
                + store.changes()
                + " changes of site; acknowledged by the original "
                + acknowledged.get(Site.ORIGINAL).size()
                + ", by the copy "
                + acknowledged.get(Site.COPY).size());
  }

  private String description() {
    StringBuilder text = new StringBuilder("the store is owned by " + store.owner());
    appenders.forEach(
        (site, appender) -> {
          text.append('\n').append(site).append(" acknowledged ");
          text.append(acknowledged.get(site).size()).append(" operations");
          appender
              .statuses()
              .forEach(
                  status ->
                      text.append('\n')
                          .append(status.server())
                          .append(": ")
                          .append(status.storeRefusal().orElse("not refused")));
        });
    return text.toString();
  }
}
