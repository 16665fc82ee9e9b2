package io.uniserve.runtime.client.load;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.load.QuerySets.Frequencies;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.LoadMessage.LoadNoted;
import io.uniserve.runtime.wire.LoadMessage.ReportQueries;
import io.uniserve.runtime.wire.LoadMessage.SetFigures;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports to the coordinator of the sets of actors that this client's queries read. They have
 * what has changed. A client that asks nothing reports nothing.
 */
public final class QueryReports implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueryReports.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  /** The smallest change that is reported, as a share of the value reported before. */
  private static final double CHANGE_MIN = 0.1;

  /**
   * The number of reports after which one is sent without any change, so that the coordinator does
   * not forget this client.
   */
  private static final int SILENT_MAX = 5;

  private final Environment environment;
  private final Controllers controllers;
  private final QuerySets sets;
  private final LoadSettings settings;
  private final String reporter;
  private final Map<SetName, Double> told = new LinkedHashMap<>();
  private double othersTold;
  private int silent;
  private long term = -1;
  private volatile boolean closed;

  private record SetName(long table, List<Integer> actors) {
    static SetName of(SetFigures set) {
      return new SetName(set.table(), set.actors());
    }
  }

  /**
   * @param reporter a name that no other client has
   */
  public QueryReports(
      Environment environment,
      Controllers controllers,
      QuerySets sets,
      LoadSettings settings,
      String reporter) {
    this.environment = environment;
    this.controllers = controllers;
    this.sets = sets;
    this.settings = settings;
    this.reporter = reporter;
  }

  /** Begins to report. */
  public void start() {
    environment.threads().start("query sets", this::run);
  }

  @Override
  public void close() {
    closed = true;
  }

  private void run() {
    try {
      while (!closed) {
        environment.clock().sleep(settings.interval());
        if (!closed) {
          tell(sets.frequencies());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(Frequencies now) {
    List<SetFigures> changed = changed(now.sets());
    boolean same = changed.isEmpty() && !differs(now.othersPerSecond(), othersTold);
    boolean idle = now.sets().isEmpty() && told.isEmpty() && now.othersPerSecond() == 0;
    if (same && (idle || ++silent < SILENT_MAX)) {
      return;
    }
    try {
      Deadline deadline = Deadline.after(environment.clock(), ANSWER_TIMEOUT);
      ReportQueries report = new ReportQueries(reporter, changed, now.othersPerSecond());
      noted(report, controllers.ask(report, LoadNoted.class, deadline));
    } catch (UniserveException e) {
      LOG.debug("query sets did not reach the coordinator: {}", e.getMessage());
    }
  }

  private void noted(ReportQueries report, LoadNoted noted) {
    silent = 0;
    if (noted.term() != term) {
      term = noted.term();
      told.clear();
      silent = SILENT_MAX; // the next report has all of it again
      return;
    }
    othersTold = report.othersPerSecond();
    for (SetFigures set : report.sets()) {
      if (set.perSecond() == 0) {
        told.remove(SetName.of(set));
      } else {
        told.put(SetName.of(set), set.perSecond());
      }
    }
  }

  /**
   * Returns the sets that have changed, the greatest changes first. A set that is not read any more
   * is reported as 0.
   */
  private List<SetFigures> changed(List<SetFigures> now) {
    Map<SetName, SetFigures> current = new LinkedHashMap<>();
    now.forEach(set -> current.put(SetName.of(set), set));
    List<SetFigures> changed = new ArrayList<>();
    for (SetName name : told.keySet()) {
      if (!current.containsKey(name)) {
        changed.add(new SetFigures(name.table(), name.actors(), 0));
      }
    }
    for (SetFigures set : now) {
      if (differs(set.perSecond(), told.getOrDefault(SetName.of(set), 0.0))) {
        changed.add(set);
      }
    }
    changed.sort(Comparator.comparingDouble((SetFigures set) -> -change(set)));
    return List.copyOf(changed.subList(0, Math.min(LoadMessage.SETS_MAX, changed.size())));
  }

  private double change(SetFigures set) {
    return Math.abs(set.perSecond() - told.getOrDefault(SetName.of(set), 0.0));
  }

  private static boolean differs(double is, double was) {
    return Math.abs(is - was) > CHANGE_MIN * was;
  }
}
