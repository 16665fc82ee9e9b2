package io.uniserve.runtime.server.load;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.ReplicaCounters;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.LoadMessage.CopyFigures;
import io.uniserve.runtime.wire.LoadMessage.LoadNoted;
import io.uniserve.runtime.wire.LoadMessage.ReportServer;
import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The measurement of this server's load and that of its copies (DPA §4.4). Changes are reported to
 * the coordinator.
 */
public final class LoadReports {
  private static final Logger LOG = LoggerFactory.getLogger(LoadReports.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The number of measurements between two requests for usage. Engines may have to look at files to
   * answer, so they are asked less often.
   */
  private static final int USAGE_EVERY = 5;

  /** The smallest change that is reported, as a share of the value reported before. */
  private static final double CHANGE_MIN = 0.05;

  /** The smallest load of threads that is reported: a thousandth of a thread. */
  private static final double BUSY_MIN = 1e-3;

  private final ServerContext server;
  private final Membership membership;
  private final Supplier<Collection<ReplicaDriver>> copies;
  private final LongSupplier busyNanos;
  private final LongToDoubleFunction slowest;
  private final Rates busy;
  private final Map<ActorId, Copy> known = new TreeMap<>();
  private int round;
  private long term = -1;
  private volatile boolean closed;

  /** One copy, with its last measured and its last reported load. */
  private static final class Copy {
    private final Rates rates;
    private final Replica replica;
    private Usage usage;
    private CopyFigures now;
    private CopyFigures told;

    Copy(Replica replica, Rates rates) {
      this.replica = replica;
      this.rates = rates;
    }

    boolean changed() {
      return told == null
          || differs(now.busy(), told.busy())
          || differs(now.operatorsPerSecond(), told.operatorsPerSecond())
          || differs(now.usage().memoryBytes(), told.usage().memoryBytes())
          || differs(now.usage().diskBytes(), told.usage().diskBytes());
    }

    private static boolean differs(double is, double was) {
      return Math.abs(is - was) > Math.max(BUSY_MIN, CHANGE_MIN * Math.abs(was));
    }
  }

  /**
   * @param busyNanos returns for how long the server's threads have worked, all together
   * @param slowest returns the 99th percentile of the duration of operators that ended since a
   *     moment, in milliseconds
   */
  public LoadReports(
      ServerContext server,
      Membership membership,
      Supplier<Collection<ReplicaDriver>> copies,
      LongSupplier busyNanos,
      LongToDoubleFunction slowest) {
    this.server = server;
    this.membership = membership;
    this.copies = copies;
    this.busyNanos = busyNanos;
    this.slowest = slowest;
    this.busy = new Rates(server.settings().load().reports());
  }

  public void start() {
    server.environment().threads().start("load of " + server.name(), this::run);
  }

  public void close() {
    closed = true;
  }

  private void run() {
    try {
      while (!closed) {
        ServerFigures figures = measure();
        if (membership.life().incarnation() > 0) {
          tell(figures);
        }
        server.environment().clock().sleep(server.settings().load().interval());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ServerFigures measure() {
    boolean askUsage = round++ % USAGE_EVERY == 0;
    long now = server.environment().clock().nanos();
    int workers = server.settings().work().operatorThreads();
    double threads = busy.sample(now, busyNanos.getAsLong())[0] / NANOS_PER_SECOND;
    Map<ActorId, Copy> before = new TreeMap<>(known);
    known.clear();
    Usage usage = Usage.NONE;
    for (ReplicaDriver driver : copies.get()) {
      Copy copy = of(driver.replica(), before);
      measure(copy, now, askUsage);
      usage = usage.plus(copy.usage);
      known.put(copy.now.actor(), copy);
    }
    double slowMillis = slowest.applyAsDouble(now - server.settings().load().window().toNanos());
    return new ServerFigures(Math.clamp(threads / workers, 0, 1), workers, usage, slowMillis);
  }

  private Copy of(Replica replica, Map<ActorId, Copy> before) {
    Copy copy = before.get(replica.target().id());
    boolean same = copy != null && copy.replica == replica;
    return same ? copy : new Copy(replica, new Rates(server.settings().load().reports()));
  }

  private void measure(Copy copy, long now, boolean askUsage) {
    if (askUsage || copy.usage == null) {
      copy.usage = copy.replica.usage();
    }
    ReplicaCounters counters = copy.replica.counters();
    double[] rates =
        copy.rates.sample(now, counters.cost(), counters.busyNanos(), counters.operators());
    copy.now =
        new CopyFigures(
            copy.replica.target().id(),
            rates[0],
            rates[1] / NANOS_PER_SECOND,
            rates[2],
            copy.usage);
  }

  /**
   * Reports figures. A report that is lost is made up for by the next, since reports have values
   * and not differences.
   */
  private void tell(ServerFigures figures) {
    List<Copy> changed = changed();
    ReportServer report =
        new ReportServer(
            server.name(),
            membership.life().incarnation(),
            figures,
            changed.stream().map(copy -> copy.now).toList());
    try {
      Deadline deadline = Deadline.after(server.environment().clock(), ANSWER_TIMEOUT);
      LoadNoted noted = server.controllers().ask(report, LoadNoted.class, deadline);
      if (noted.term() == term) {
        changed.forEach(copy -> copy.told = copy.now);
      } else {
        known.values().forEach(copy -> copy.told = null);
        term = noted.term();
      }
    } catch (UniserveException e) {
      LOG.debug("the load of {} did not reach the coordinator: {}", server.name(), e.getMessage());
    }
  }

  /** Returns the copies whose load has changed, the busiest first. */
  private List<Copy> changed() {
    List<Copy> changed = new ArrayList<>(known.values());
    changed.removeIf(copy -> !copy.changed());
    changed.sort(Comparator.comparingDouble((Copy copy) -> copy.now.busy()).reversed());
    return List.copyOf(changed.subList(0, Math.min(LoadMessage.COPIES_MAX, changed.size())));
  }
}
