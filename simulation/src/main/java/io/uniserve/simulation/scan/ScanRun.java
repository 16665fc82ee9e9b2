package io.uniserve.simulation.scan;

import java.util.ArrayList;
import java.util.List;

/** One run of the simulator: scans arrive, are served, and all end. */
public final class ScanRun {
  /** The changes of a desired parallelism that one moment may bring; beyond, something is wrong. */
  private static final int CHANGES_MAX = 1_000;

  private final Agenda agenda = new Agenda();
  private final List<RunningScan> scans = new ArrayList<>();
  private final Granting granting;

  private ScanRun(
      ScanCluster cluster, ScanSettings settings, List<ScanQuery> queries, boolean traced) {
    granting =
        settings.messageSeconds().isPresent()
            ? new ServerGranting(
                agenda,
                cluster,
                settings.policy(),
                settings.messageSeconds().getAsDouble(),
                this::read)
            : new CentralGranting(agenda, cluster, settings.policy(), scans, this::read);
    for (int number = 0; number < queries.size(); number++) {
      ScanQuery query = queries.get(number);
      int name = number;
      agenda.at(
          query.arrivalSeconds(),
          () -> arrive(new RunningScan(name, query, cluster, settings, traced)));
    }
  }

  /**
   * Runs scans to their end.
   *
   * @param traced true to keep the course of each
   * @return the outcome of each, in the order of arrival
   */
  public static List<ScanOutcome> of(
      ScanCluster cluster, ScanSettings settings, List<ScanQuery> queries, boolean traced) {
    ScanRun run = new ScanRun(cluster, settings, queries, traced);
    run.agenda.run();
    List<ScanOutcome> outcomes = new ArrayList<>();
    for (RunningScan scan : run.scans) {
      if (!scan.isComplete()) {
        throw new IllegalStateException("scan " + scan.number + " did not end");
      }
      outcomes.add(scan.outcome());
    }
    return outcomes;
  }

  private void arrive(RunningScan scan) {
    scans.add(scan);
    scan.idle(agenda.now());
    granting.changed(scan);
    observe(scan);
    plan(scan);
  }

  /** Has a scan read a piece for which it has taken a slot. */
  private void read(RunningScan scan, Piece piece) {
    advance(scan);
    scan.read(piece, agenda.now());
    observe(scan);
    plan(scan);
  }

  private void happen(RunningScan scan) {
    advance(scan);
    granting.changed(scan);
    observe(scan);
    plan(scan);
  }

  private void advance(RunningScan scan) {
    List<Piece> over = scan.advance(agenda.now());
    scan.idle(agenda.now());
    for (Piece piece : over) {
      granting.released(scan, piece.server);
      granting.changed(scan);
    }
    scan.end(agenda.now());
  }

  private void observe(RunningScan scan) {
    for (int changes = 0; scan.observe(agenda.now()); changes++) {
      granting.changed(scan);
      if (changes > CHANGES_MAX) {
        throw new IllegalStateException("scan " + scan.number + " never settles");
      }
    }
  }

  /** Plans the next event of a scan in place of the one that was planned before. */
  private void plan(RunningScan scan) {
    scan.client.settle();
    scan.sample(agenda.now());
    if (scan.isComplete()) {
      scan.plan++;
      return;
    }
    double next = Math.min(scan.nextChange(), scan.wakeSeconds());
    if (next < Double.POSITIVE_INFINITY) {
      long plan = ++scan.plan;
      agenda.at(
          next,
          () -> {
            if (scan.plan == plan) {
              happen(scan);
            }
          });
    }
  }
}
