package io.uniserve.node.demo;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.partition.RingPlaces;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.remote.Retries;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.ProgressLine;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingPlacement;
import io.uniserve.tickets.TicketTable;
import io.uniserve.tickets.Tickets;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The demo of shared scans (RB §2): a table of tickets under a steady load of queries and updates
 * with predicates that nobody could have known before, while a server is lost and another comes.
 */
public final class TicketDemo {
  private static final String NAME = "tickets";
  private static final String VICTIM = "s3";
  private static final String NEWCOMER = "s5";
  private static final String PLACE = "0.5";
  private static final int ACTORS = 4;
  private static final int REPLICAS = 2;
  private static final int BATCH = 2_000;
  private static final int BATCHES_IN_FLIGHT = 4;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int CALM_SECONDS = 6;
  private static final int WARM_SECONDS = 8;

  /** The share of a rate that counts as kept up with, since seconds are not exact. */
  private static final double KEPT_UP = 0.97;

  private static final int WARM_SHARE = 10;

  private final EmbeddedCluster cluster;
  private final int port;
  private final int records;
  private final int rate;
  private final PrintStream out;
  private final Style style;
  private final TicketModel model = new TicketModel();
  private final List<String> problems = new ArrayList<>();
  private final List<TicketTraffic.Span> reached = new ArrayList<>();
  private long bookings;
  private long loaded;
  private final TableDefinition definition =
      new TableDefinition(
          NAME,
          "sharedscan",
          new Partitioner.Hash(ACTORS),
          REPLICAS,
          Durability.NONE,
          Consistency.ORDERED,
          TicketTable.schema());

  /**
   * @param cluster a cluster of four servers
   * @param port the port of HTTP
   * @param records the number of tickets
   * @param rate the number of queries a second; there are half as many updates
   */
  public TicketDemo(
      EmbeddedCluster cluster, int port, int records, int rate, PrintStream out, Style style) {
    this.cluster = cluster;
    this.port = port;
    this.records = records;
    this.rate = rate;
    this.out = out;
    this.style = style;
  }

  /** Shows everything; returns the problems. */
  public List<String> run() {
    if (cluster.state().table(NAME).isPresent()) {
      cluster.client().dropTable(NAME, TIMEOUT);
    }
    cluster
        .client()
        .tables()
        .createTable(definition, new RingPlacement(List.copyOf(cluster.serverNames())), TIMEOUT);
    out.println(
        style.strong("Tickets")
            + "  47 columns, an ordered table of "
            + ACTORS
            + " actors on a ring, "
            + REPLICAS
            + " copies of each, no index");
    load();
    TicketTraffic.Failures failures = new TicketTraffic.Failures();
    try (TicketSession session = new TicketSession(cluster.client(), definition)) {
      warm(session);
      try (TicketTraffic traffic = traffic(session, rate, failures)) {
        show(traffic);
      }
    }
    failures.first().ifPresent(why -> problems.add(failures.count() + " failed, such as: " + why));
    check();
    return problems;
  }

  /** Sends a little for some seconds, which has the program compiled. */
  private void warm(TicketSession session) {
    TicketTraffic.Failures failures = new TicketTraffic.Failures();
    try (TicketTraffic _ = traffic(session, Math.max(2, rate / WARM_SHARE), failures)) {
      for (int i = 0; i < WARM_SECONDS; i++) {
        pause();
      }
    }
    failures.first().ifPresent(problems::add);
  }

  private TicketTraffic traffic(TicketSession session, int some, TicketTraffic.Failures failures) {
    return new TicketTraffic(
        cluster.client(), definition, session, model, bookings, some, failures);
  }

  private void show(TicketTraffic traffic) {
    out.println();
    out.println(
        style.strong(
            Figures.count(rate)
                + " queries and "
                + Figures.count(rate / 2)
                + " updates a second, whatever their predicates"));
    pass(traffic, CALM_SECONDS);
    sayReached();
    sayKinds(traffic);
    cluster.stopServer(VICTIM);
    out.println("  " + style.bad("✗ " + VICTIM + " is gone"));
    awaitWhole(traffic, state -> !state.alive(VICTIM) && StateWait.whole(state));
    expand(traffic);
    reached.clear();
    pass(traffic, CALM_SECONDS);
    sayReached();
  }

  private void load() {
    LongAdder stored = new LongAdder();
    try (ProgressLine progress =
        new ProgressLine(out, style, "tickets", records, stored::sum, stored::sum)) {
      new BatchStore(cluster.client(), definition, BATCHES_IN_FLIGHT, Retries.DEFAULT)
          .store(this::batch, stored::add);
      out.println(
          "Loaded "
              + Figures.count(stored.sum())
              + " tickets on all copies in "
              + style.good(Figures.duration(progress.elapsed())));
    }
  }

  private List<Map<String, Object>> batch() {
    List<Map<String, Object>> batch = new ArrayList<>();
    while (loaded < records && batch.size() < BATCH) {
      List<Map<String, Object>> booking = new Tickets(1).booking(bookings++);
      batch.addAll(booking);
      loaded += booking.size();
    }
    batch.forEach(model::add);
    return batch;
  }

  private void pass(TicketTraffic traffic, int seconds) {
    for (int i = 0; i < seconds; i++) {
      pause();
      say(traffic);
    }
  }

  private void say(TicketTraffic traffic) {
    TicketTraffic.Span span = traffic.span();
    reached.add(span);
    out.println(
        "  "
            + span.line(1)
            + (span.leftOut() > 0
                ? style.warm("   " + Figures.count(span.leftOut()) + " left out")
                : ""));
  }

  /** Prints the rates of the seconds so far beside what was asked for. */
  private void sayReached() {
    double queries = reached.stream().mapToInt(TicketTraffic.Span::queries).average().orElse(0);
    double updates = reached.stream().mapToInt(TicketTraffic.Span::updates).average().orElse(0);
    boolean all = queries >= KEPT_UP * rate && updates >= KEPT_UP * rate / 2;
    String line =
        "reached "
            + Figures.count(Math.round(queries))
            + " of "
            + Figures.count(rate)
            + " queries and "
            + Figures.count(Math.round(updates))
            + " of "
            + Figures.count(rate / 2)
            + " updates a second";
    out.println("  " + (all ? style.good(line) : style.warm(line)));
  }

  /** Prints how long queries of each kind take: about the same. */
  private void sayKinds(TicketTraffic traffic) {
    out.println(
        "  half of the queries, by what they ask for: "
            + String.join(
                ", ",
                traffic.mediansByKind().entrySet().stream()
                    .map(kind -> kind.getKey() + " in " + kind.getValue() + " ms")
                    .toList()));
  }

  private void awaitWhole(TicketTraffic traffic, java.util.function.Predicate<ClusterState> whole) {
    long began = System.nanoTime();
    while (!StateWait.holds(cluster.client(), whole, Duration.ofSeconds(1))) {
      say(traffic);
      if (System.nanoTime() - began > PATIENCE.toNanos()) {
        problems.add("not whole after " + Figures.duration(PATIENCE));
        return;
      }
    }
    out.println(
        "  "
            + style.good("whole again")
            + " after "
            + Figures.duration(Duration.ofNanos(System.nanoTime() - began)));
  }

  /** Starts a server, which takes its place on the ring. */
  private void expand(TicketTraffic traffic) {
    cluster.startServer(NEWCOMER);
    StateWait.await(
        cluster.client(), state -> state.alive(NEWCOMER), TIMEOUT, NEWCOMER + " to join");
    RingChange expansion =
        new RingChange.Expand(NEWCOMER, RingPlaces.parse(definition.partitioner(), PLACE));
    long change = cluster.client().admin().changeRing(NAME, expansion, Optional.empty(), TIMEOUT);
    out.println(
        "  "
            + style.good("+ " + NEWCOMER + " has come")
            + ", and takes half of an actor's keys, at "
            + PLACE
            + " on the ring");
    long began = System.nanoTime();
    while (!isMade(change)) {
      say(traffic);
      if (System.nanoTime() - began > PATIENCE.toNanos()) {
        problems.add("the ring is not expanded after " + Figures.duration(PATIENCE));
        return;
      }
    }
    awaitWhole(traffic, StateWait::whole);
  }

  /** Waits a second for the end of a change of the ring; returns whether it has come. */
  private boolean isMade(long change) {
    try {
      cluster.client().admin().awaitRingChange(NAME, change, Duration.ofSeconds(1));
      return true;
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.DEADLINE_EXCEEDED) {
        return false;
      }
      problems.add("the ring was not expanded: " + e.getMessage());
      return true;
    }
  }

  /** Compares totals with those of the model. */
  private void check() {
    out.println();
    Map<?, ?> answer =
        (Map<?, ?>)
            cluster
                .client()
                .query(
                    cluster
                        .client()
                        .planner(definition)
                        .plan(
                            definition,
                            "SELECT status, insured, count(*), sum(fare) FROM tickets GROUP BY"
                                + " status, insured",
                            Map.of()),
                    new QueryOptions(TIMEOUT));
    long all = 0;
    long insured = 0;
    long cancelled = 0;
    long cents = 0;
    for (Object each : (List<?>) answer.get("rows")) {
      List<?> row = (List<?>) each;
      long count = (Long) row.get(2);
      all += count;
      insured += Boolean.TRUE.equals(row.get(1)) ? count : 0;
      if ("cancelled".equals(row.get(0))) {
        cancelled += count;
        cents += Long.parseLong(((String) row.get(3)).replace(".", ""));
      }
    }
    compare("tickets", all, model.count());
    compare("insured tickets", insured, model.insured());
    compare("cancelled tickets", cancelled, model.cancelled());
    compare("hundredths of dollars of cancelled fares", cents, model.cancelledCents());
  }

  private void compare(String what, long found, long expected) {
    boolean right = found == expected;
    out.println(
        "  "
            + Figures.count(found)
            + " "
            + what
            + (right
                ? style.good("  as the model says")
                : style.bad("  WRONG: the model has " + expected)));
    if (!right) {
      problems.add(found + " " + what + ", not " + expected);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(Duration.ofSeconds(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Prints what can be done with a cluster that stays up. */
  public void sayFarewell() {
    String url = " --url http://localhost:" + port;
    out.println();
    out.println("The table stays up. In another terminal:");
    out.println("  ./uniserve sql" + url);
    out.println(
        "  ./uniserve sql"
            + url
            + " -c \"select rloc, last_name, seat from tickets where origin = 'SFO' and class = 'F'"
            + " and wheelchair limit 10\"");
    out.println("Stop it with Ctrl-C.");
  }
}
