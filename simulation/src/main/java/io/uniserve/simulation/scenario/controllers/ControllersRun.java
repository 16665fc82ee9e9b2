package io.uniserve.simulation.scenario.controllers;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One run: its processes, and what is known about them from outside. */
final class ControllersRun {
  private static final int SUBMITTERS = 4;

  private final SimulatedCluster cluster;
  private final List<String> names;
  private final UnaryOperator<Environment> machine;
  private final ControllerSettings settings;
  private final Map<String, Controller> controllers = new TreeMap<>();

  /** The controllers that do not start, since a file of theirs is damaged. */
  private final Set<String> refused = new TreeSet<>();

  private final List<Submitter> submitters = new ArrayList<>();
  private final Book book;
  private Set<String> replacing = Set.of();
  private Environment operator;

  ControllersRun(SimulatedCluster cluster, RunSettings shape, UnaryOperator<Environment> machine) {
    this.cluster = cluster;
    this.machine = machine;
    this.book = new Book(cluster.scheduler()::nanos);
    names = controllers(shape);
    settings =
        ControllerSettings.DEFAULT.with(
            RaftSettings.DEFAULT.withSnapshots(
                shape.number("snapshotBytes"), shape.number("snapshotEntries")));
  }

  static List<String> controllers(RunSettings shape) {
    return IntStream.range(0, shape.number("routers")).mapToObj(i -> "router-" + i).toList();
  }

  private static List<String> submitterNames() {
    return IntStream.range(0, SUBMITTERS).mapToObj(i -> "server-" + i).toList();
  }

  /** Returns all processes. */
  static List<String> processes(RunSettings shape) {
    return Stream.concat(controllers(shape).stream(), submitterNames().stream()).toList();
  }

  void start() {
    names.forEach(
        name ->
            cluster
                .add(name, environment -> startController(environment, name))
                .onEnd(() -> ended(name)));
    for (String name : submitterNames()) {
      cluster.add(name, environment -> submitters.add(submitter(environment, name)));
    }
    cluster.processes().forEach(SimulatedProcess::start);
    cluster.always(this::look);
    cluster.describe(this::description);
  }

  private void startController(Environment environment, String name) throws IOException {
    try {
      controllers.put(name, controller(environment, name));
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.CORRUPT) {
        throw e;
      }
      // Other disks do not damage forced data, so a controller that misses some has not forced it.
      Invariant.ACKNOWLEDGED_SURVIVES.require(
          cluster.process(name).disk().rotten(),
          () -> name + " lost what it promised to keep: " + e);
      cluster.scheduler().note(name + " does not start: " + e.getMessage());
      refused.add(name);
    }
  }

  private Controller controller(Environment environment, String name) throws IOException {
    return new Controller(
        machine.apply(environment),
        new Address(name),
        addresses(),
        new Engines(List.of()),
        PlacementPolicies.without(new FewestCopies()),
        settings);
  }

  private void ended(String name) {
    controllers.remove(name);
    refused.remove(name);
  }

  private Submitter submitter(Environment environment, String name) {
    operator = environment;
    Submitter submitter = new Submitter(environment, name, addresses(), book);
    submitter.start();
    return submitter;
  }

  private List<Address> addresses() {
    return names.stream().map(Address::new).toList();
  }

  private String description() {
    StringBuilder text = new StringBuilder();
    controllers.forEach(
        (name, controller) ->
            text.append(name)
                .append(controller.decides() ? " decides, " : " follows, ")
                .append(controller.ordered())
                .append(" messages, version ")
                .append(controller.state().version())
                .append('\n'));
    return text.toString();
  }

  private void look() {
    controllers.forEach((name, controller) -> book.look(name, controller.state()));
  }

  boolean decided() {
    return answers() > 0;
  }

  /** Returns how many decisions submitters have heard of. */
  long answers() {
    return book.answers();
  }

  /** Returns a controller that decides. */
  Optional<String> deciding() {
    return names.stream()
        .filter(name -> controllers.containsKey(name) && controllers.get(name).decides())
        .findFirst();
  }

  void stop() {
    submitters.forEach(Submitter::stop);
  }

  boolean finished() {
    return submitters.stream().allMatch(Submitter::finished);
  }

  /**
   * Starts those controllers again whose files were damaged, so that each reads them, and refuses
   * them if the damage is still there.
   */
  void restartDamaged() {
    names.stream()
        .map(cluster::process)
        .filter(process -> process.disk().rotten())
        .forEach(
            process -> {
              process.crash();
              process.start();
            });
  }

  /** Returns whether all controllers but those that do not start have the same. */
  boolean level() {
    return controllers.size() + refused.size() == names.size()
        && controllers.values().stream()
                .map(controller -> List.of(controller.state(), controller.ordered()))
                .distinct()
                .count()
            == 1
        && controllers.values().stream().anyMatch(Controller::decides);
  }

  /**
   * Begins to replace the controllers that do not start, as an operator does: each is removed, its
   * disk is emptied, and it is added again.
   */
  void replaceRefused() {
    replacing = new TreeSet<>(refused);
    cluster.scheduler().note("replaced are " + replacing);
    if (!replacing.isEmpty()) {
      new Replacement(operator, addresses(), List.copyOf(replacing), this::empty, replacing::remove)
          .start();
    }
  }

  /** Empties the disk of a controller, and starts it. */
  private void empty(String name) {
    SimulatedProcess process = cluster.process(name);
    process.loseDisk();
    process.start();
  }

  boolean replaced() {
    return replacing.isEmpty();
  }

  void checkFinally() {
    Controller any = controllers.values().iterator().next();
    book.checkFinally(any.state(), any.ordered());
    cluster.scheduler().note(book.toString());
  }
}
