package io.uniserve.node.demo;

import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.remote.Retries;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.tickets.Flights;
import io.uniserve.tickets.TicketStatements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Queries and updates at a steady rate, each of a predicate that nobody could have known before.
 * They do not wait for each other. What is due while too many are under way is left out and
 * counted.
 */
final class TicketTraffic implements AutoCloseable {
  private static final int UNDER_WAY_MAX = 1_500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 2;

  /** The failures in spite of retries. Safe for use by many threads. */
  static final class Failures {
    private final AtomicReference<String> first = new AtomicReference<>();
    private final AtomicInteger count = new AtomicInteger();

    private void note(UniserveException failure) {
      count.incrementAndGet();
      first.compareAndSet(null, failure.getMessage());
    }

    int count() {
      return count.get();
    }

    Optional<String> first() {
      return Optional.ofNullable(first.get());
    }
  }

  /** A change of the tickets and of the model. */
  private record Change(String sql, Runnable model) {}

  /**
   * The work of some time.
   *
   * @param queries the number of answered queries
   * @param updates the number of applied updates
   * @param leftOut the number of those that were due and not sent
   * @param queryMillis their durations, sorted
   * @param updateMillis their durations, sorted
   */
  record Span(int queries, int updates, int leftOut, int[] queryMillis, int[] updateMillis) {
    String line(double seconds) {
      return String.format(
          Locale.ROOT,
          "%,6.0f queries/s, half in %4d ms, 99%% in %4d ms   %,6.0f updates/s, half in %4d ms,"
              + " 99%% in %4d ms",
          queries / seconds,
          share(queryMillis, 50),
          share(queryMillis, 99),
          updates / seconds,
          share(updateMillis, 50),
          share(updateMillis, 99));
    }

    private static int share(int[] sorted, int percent) {
      return sorted.length == 0
          ? 0
          : sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }
  }

  private final UniserveClient client;
  private final TableDefinition table;
  private final Planner planner;
  private final TicketSession session;
  private final TicketModel model;
  private final long bookings;
  private final int rate;

  /** The places of queries under way, and of updates: neither takes those of the other. */
  private final Semaphore queryPlaces = new Semaphore(UNDER_WAY_MAX);

  private final Semaphore updatePlaces = new Semaphore(UNDER_WAY_MAX);
  private final Failures failures;
  private final Object lock = new Object();
  private List<Integer> queryMillis = new ArrayList<>();
  private List<Integer> updateMillis = new ArrayList<>();
  private final Map<String, List<Integer>> millisByKind = new TreeMap<>();
  private int leftOut;

  /**
   * The changes whose outcome is not known. They are made again at the end: to set a flag twice
   * does no harm.
   */
  private final List<Change> open = new ArrayList<>();

  private final Thread sender;
  private volatile boolean stopped;

  TicketTraffic(
      UniserveClient client,
      TableDefinition table,
      TicketSession session,
      TicketModel model,
      long bookings,
      int rate,
      Failures failures) {
    this.client = client;
    this.table = table;
    this.planner = client.planner(table);
    this.session = session;
    this.model = model;
    this.bookings = bookings;
    this.rate = rate;
    this.failures = failures;
    this.sender = Thread.ofPlatform().daemon().name("tickets").start(this::send);
  }

  private void send() {
    TicketStatements statements = new TicketStatements(2014, bookings);
    long began = System.nanoTime();
    long queries = 0;
    long updates = 0;
    while (!stopped) {
      double seconds = (System.nanoTime() - began) / 1e9;
      for (; queries < seconds * rate; queries++) {
        TicketStatements.Question question = statements.question();
        start(queryPlaces, () -> ask(question));
      }
      for (; updates < seconds * rate / 2; updates++) {
        Change change = change(statements, model);
        start(updatePlaces, () -> change(change));
      }
      try {
        Thread.sleep(TICK_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void start(Semaphore places, Runnable work) {
    if (!places.tryAcquire()) {
      synchronized (lock) {
        leftOut++;
      }
      return;
    }
    Thread.startVirtualThread(
        () -> {
          try {
            work.run();
          } catch (UniserveException e) {
            failures.note(e);
          } finally {
            places.release();
          }
        });
  }

  private static Change change(TicketStatements statements, TicketModel model) {
    SplittableRandom random = statements.random();
    if (random.nextBoolean()) {
      String rloc = statements.rloc();
      return new Change(
          "UPDATE tickets SET insured = TRUE WHERE rloc = '" + rloc + "'",
          () -> model.insure(rloc));
    }
    Flights.Route route = Flights.SAMPLE.route(random);
    String day = Flights.SAMPLE.day(random).toString();
    String kind = statements.kind();
    String state = Flights.SAMPLE.state(route.destination());
    return new Change(
        TicketStatements.cancellation(route.origin(), day, kind, state),
        () -> model.cancel(route.origin(), day, kind, state));
  }

  private void ask(TicketStatements.Question question) {
    long began = System.nanoTime();
    Retries.DEFAULT.run(
        () ->
            client.query(planner.plan(table, question.sql(), Map.of()), new QueryOptions(TIMEOUT)));
    int millis = millisSince(began);
    synchronized (lock) {
      queryMillis.add(millis);
      millisByKind.computeIfAbsent(question.kind(), kind -> new ArrayList<>()).add(millis);
    }
  }

  private void change(Change change) {
    long began = System.nanoTime();
    try {
      apply(change);
      int millis = millisSince(began);
      synchronized (lock) {
        updateMillis.add(millis);
      }
    } catch (UniserveException e) {
      synchronized (lock) {
        open.add(change);
      }
    }
  }

  private void apply(Change change) {
    session.change(change.sql, TIMEOUT);
    synchronized (model) {
      change.model.run();
    }
  }

  private static int millisSince(long began) {
    return (int) ((System.nanoTime() - began) / 1_000_000);
  }

  /** Returns the median duration of the queries of each kind so far, in milliseconds. */
  SortedMap<String, Integer> mediansByKind() {
    synchronized (lock) {
      SortedMap<String, Integer> medians = new TreeMap<>();
      millisByKind.forEach((kind, millis) -> medians.put(kind, Span.share(sorted(millis), 50)));
      return medians;
    }
  }

  /** Returns what was done since the last call. */
  Span span() {
    synchronized (lock) {
      Span span =
          new Span(
              queryMillis.size(),
              updateMillis.size(),
              leftOut,
              sorted(queryMillis),
              sorted(updateMillis));
      queryMillis = new ArrayList<>();
      updateMillis = new ArrayList<>();
      leftOut = 0;
      return span;
    }
  }

  private static int[] sorted(List<Integer> millis) {
    int[] sorted = millis.stream().mapToInt(Integer::intValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  /**
   * Sends nothing more, waits for what is under way, and makes again those changes whose outcome is
   * not known.
   */
  @Override
  public void close() {
    stopped = true;
    try {
      sender.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    queryPlaces.acquireUninterruptibly(UNDER_WAY_MAX);
    updatePlaces.acquireUninterruptibly(UNDER_WAY_MAX);
    for (Change change : open) {
      try {
        apply(change);
      } catch (UniserveException e) {
        failures.note(e);
      }
    }
  }
}
