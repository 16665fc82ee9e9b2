package io.uniserve.node.demo;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The scene in which a server is stopped hard under a steady stream of queries, and the cluster
 * mends itself.
 */
final class FailureScene {
  private static final String VICTIM = "s3";
  private static final Duration CALM = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final EmbeddedCluster cluster;
  private final PrintStream out;
  private final Style style;
  private final AtomicInteger promotions = new AtomicInteger();
  private Set<String> copiesBefore = Set.of();
  private long stoppedNanos;

  FailureScene(EmbeddedCluster cluster, PrintStream out, Style style) {
    this.cluster = cluster;
    this.out = out;
    this.style = style;
  }

  /** Plays the scene; returns the problems. */
  List<String> play(MoviesTable movies) {
    out.println();
    out.println(style.strong("Now a server is stopped hard, under a steady stream of queries"));
    List<String> problems = new ArrayList<>();
    try (SteadyQueries queries = new SteadyQueries(movies, Tour.stops());
        ClusterView.Subscription _ = cluster.client().view().onChange(this::heard)) {
      pause(CALM);
      long before = queries.answered();
      out.println(
          "  "
              + Figures.count(before)
              + " queries answered, the slowest in "
              + Figures.duration(queries.slowest()));
      stop();
      awaitWhole(problems);
      Duration whole = sinceStop();
      Duration slowest = queries.slowest();
      pause(CALM);
      report(queries, before, whole, slowest, problems);
    }
    return problems;
  }

  private void stop() {
    long primaries =
        cluster.state().requireTable(MoviesTable.NAME).actors().stream()
            .filter(actor -> actor.primary().equals(VICTIM))
            .count();
    long held =
        cluster.state().requireTable(MoviesTable.NAME).actors().stream()
            .filter(actor -> actor.copyOn(VICTIM).isPresent())
            .count();
    copiesBefore = readableCopies();
    stoppedNanos = System.nanoTime();
    cluster.stopServer(VICTIM);
    out.println(
        "  "
            + style.bad("✗ " + VICTIM + " is gone")
            + ", and with it "
            + Figures.plural(held, "copy")
            + ", "
            + primaries
            + " of them primaries");
  }

  private void heard(ClusterState state, ControlRecord record) {
    switch (record) {
      case ControlRecord.ServerFailed failed ->
          out.println("  " + after() + "the failure is known: " + failed.why());
      case ControlRecord.PrimaryChanged changed -> promotions.incrementAndGet();
      default -> {
        // the scene is about failure and repair
      }
    }
  }

  private void awaitWhole(List<String> problems) {
    try {
      StateWait.await(
          cluster.client(),
          state -> !state.alive(VICTIM) && StateWait.whole(state),
          PATIENCE,
          "every copy to be made again");
    } catch (UniserveException e) {
      problems.add(e.getMessage());
    }
  }

  private void report(
      SteadyQueries queries, long before, Duration whole, Duration slowest, List<String> problems) {
    out.println(
        "  " + after(whole) + Figures.plural(promotions.get(), "copy") + " promoted to primary");
    out.println(
        "  "
            + after(whole)
            + Figures.plural(copiesMade(), "copy")
            + " made on the other servers: the cluster is whole again");
    out.println(
        "  "
            + Figures.count(queries.answered() - before)
            + " queries since the server was stopped, "
            + (queries.failed() == 0
                ? style.good("none failed")
                : style.bad(queries.failed() + " failed"))
            + ", the slowest took "
            + Figures.duration(slowest));
    queries.firstFailure().ifPresent(failure -> problems.add("a query failed: " + failure));
    queries.firstFailure().ifPresent(failure -> out.println("  " + style.bad("WRONG: " + failure)));
  }

  private long copiesMade() {
    return readableCopies().stream().filter(copy -> !copiesBefore.contains(copy)).count();
  }

  private Set<String> readableCopies() {
    Set<String> copies = new TreeSet<>();
    TableState table = cluster.state().requireTable(MoviesTable.NAME);
    table.forEachActor(
        (id, actor) ->
            actor.copies().stream()
                .filter(copy -> copy.status() == CopyState.Status.READY)
                .forEach(copy -> copies.add(id.number() + " on " + copy.server())));
    return copies;
  }

  private Duration sinceStop() {
    return Duration.ofNanos(System.nanoTime() - stoppedNanos);
  }

  private String after() {
    return after(sinceStop());
  }

  private String after(Duration elapsed) {
    return style.warm("after " + Figures.duration(elapsed)) + "  ";
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
