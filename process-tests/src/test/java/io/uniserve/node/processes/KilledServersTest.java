package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of {@code kill -9} of servers that are real processes, under queries and updates and while
 * actors are split and merged. Each test begins with four servers and no table.
 */
@Tag("processes")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // one cluster serves all tests
class KilledServersTest {
  private static final int SERVERS = 4;
  private static final int NOTES = 400;
  private static final String TABLE = "notes";
  private static final int SPLITS = 8;
  private static final int SPLIT_KILLS = 3;
  private static final int MERGES = 6;
  private static final int MERGE_KILLS = 2;

  private ProcessCluster cluster;
  private RemoteCluster remote;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    cluster = ProcessCluster.start(directory, SERVERS);
    remote = cluster.connect();
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
      remote.close();
    }
  }

  @AfterEach
  void startKilledServersAndDropTables() throws IOException {
    for (int i = 1; i <= SERVERS; i++) {
      if (!cluster.runs("s" + i)) {
        cluster.start("s" + i);
      }
    }
    cluster.await("all servers", state -> ProcessCluster.alive(state) == SERVERS);
    ProcessCluster.dropTables(remote);
  }

  @Test
  void losesNothingThatItsTablePromises() {
    create("twice", 2);
    create("once", 1);
    cluster.await("backups", KilledServersTest::backedUp);
    Load twice = new Load(remote, "twice");
    Load once = new Load(remote, "once");
    try (twice;
        once) {
      twice.awaitAnswers(50);
      cluster.kill("s2");
      cluster.await("s2's failure", state -> ProcessCluster.alive(state) == SERVERS - 1);
      cluster.await("whole tables", KilledServersTest::whole);
      once.awaitAnswers(20);
      twice.awaitAnswers(50);
    }
    assertThat(twice.failures).as("queries with two copies").isEmpty();
    assertThat(once.wrong).as("queries with one copy are exact or fail").isEmpty();
    assertThat(once.failures).allMatch(message -> message.contains("actor"));
    assertThat(count(remote, "once")).isEqualTo(NOTES);
  }

  private void create(String table, long replicas) {
    Waiting.forTable(
        remote,
        Map.of(
            "name",
            table,
            "engine",
            "notes",
            "actors",
            8L,
            "replicas",
            replicas,
            "durability",
            "asynchronous"));
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < NOTES; i++) {
      lines.append("{\"id\":\"n").append(i).append("\",\"text\":\"text ").append(i).append("\"}\n");
    }
    remote.postRecords(
        "/api/tables/" + table + "/records?acknowledge=all",
        StandardCharsets.UTF_8.encode(lines.toString()),
        "load-" + table);
  }

  private static long count(RemoteCluster remote, String table) {
    Map<String, Object> answer = remote.get("/api/tables/" + table + "/query?q=text");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  /** Returns whether the durable store has all data. */
  private static boolean backedUp(Map<String, Object> cluster) {
    return new Settings("cluster", cluster)
        .list("servers").stream()
            .allMatch(server -> Long.valueOf(0).equals(((Map<?, ?>) server).get("backupLag")));
  }

  /** Returns whether every actor has all its copies on live servers. */
  private static boolean whole(Map<String, Object> cluster) {
    List<Object> alive = new ArrayList<>();
    for (Object server : new Settings("cluster", cluster).list("servers")) {
      if (Boolean.TRUE.equals(((Map<?, ?>) server).get("alive"))) {
        alive.add(((Map<?, ?>) server).get("name"));
      }
    }
    return new Settings("cluster", cluster)
        .list("tables").stream().allMatch(table -> whole((Map<?, ?>) table, alive));
  }

  private static boolean whole(Map<?, ?> table, List<Object> alive) {
    return ((List<?>) table.get("assignment"))
        .stream()
            .map(actor -> (Map<?, ?>) ((Map<?, ?>) actor).get("copies"))
            .allMatch(
                copies ->
                    copies.entrySet().stream()
                            .filter(copy -> alive.contains(copy.getKey()))
                            .filter(copy -> copy.getValue().equals("ready"))
                            .count()
                        >= (Long) table.get("replicas"));
  }

  @Test
  void whatIsSplitLosesNothing() throws IOException {
    try (NotesLoad notes = NotesLoad.begin(remote, TABLE, 2, "asynchronous");
        ReshapeLoad splits = new ReshapeLoad(remote, TABLE, SPLITS)) {
      splits.survives(
          cluster,
          notes,
          SPLIT_KILLS,
          i -> {
            splits.ask(i % 4, "split");
            return true;
          });
    }
  }

  @Test
  void whatIsSplitAndMergedLosesNothing() throws IOException {
    try (NotesLoad notes = NotesLoad.begin(remote, TABLE, 2, "asynchronous");
        ReshapeLoad merges = new ReshapeLoad(remote, TABLE, MERGES)) {
      merges.survives(
          cluster,
          notes,
          MERGE_KILLS,
          i -> {
            List<Integer> actors = actors(remote);
            boolean merge = actors.size() > 4;
            merges.ask(
                merge ? actors.getLast() : actors.get(i % actors.size()),
                merge ? "merge" : "split");
            return merge;
          });
    }
  }

  /** Returns the numbers of the actors that exist. */
  private static List<Integer> actors(RemoteCluster remote) {
    List<?> all =
        new Settings("cluster", remote.get("/api/cluster"))
            .list("tables").stream()
                .findFirst()
                .map(table -> new Settings("a table", table).list("assignment"))
                .orElseThrow();
    return IntStream.range(0, all.size())
        .filter(number -> Boolean.FALSE.equals(((Map<?, ?>) all.get(number)).get("ended")))
        .boxed()
        .toList();
  }

  /** Removes the servers with the only copies while updates are being acknowledged. */
  @Test
  void nothingAcknowledgedIsLostWithTheOnlyCopy() {
    Waiting.forTable(
        remote,
        Map.of(
            "name", "stored",
            "engine", "notes",
            "actors", 6L,
            "replicas", 1L,
            "durability", "synchronous"));
    try (Writers writers = new Writers(remote)) {
      for (String victim : List.of("s1", "s2")) {
        writers.awaitAnswers(100);
        cluster.kill(victim);
      }
      writers.awaitAnswers(100);
      writers.finish();
      assertThat(stored(remote)).containsAll(writers.acknowledged);
      assertThat(writers.acknowledged.size()).isGreaterThan(200);
    }
  }

  private static List<String> stored(RemoteCluster remote) {
    Map<String, Object> answer = remote.get("/api/tables/stored/query?q=text&rows=100000");
    List<String> ids = new ArrayList<>();
    for (Object hit :
        new Settings("the result", new Settings("the answer", answer).object("result"))
            .list("hits")) {
      ids.add(String.valueOf(((Map<?, ?>) hit).get("id")));
    }
    return ids;
  }

  /** Queries of one table, without end, from two clients. */
  private static final class Load implements AutoCloseable {
    private final RemoteCluster remote;
    private final String table;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> wrong = new ConcurrentLinkedQueue<>();
    private final Semaphore answers = new Semaphore(0);
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Load(RemoteCluster remote, String table) {
      this.remote = remote;
      this.table = table;
      clients.execute(this::run);
      clients.execute(this::run);
    }

    private void run() {
      while (!stopped) {
        try {
          long total = count(remote, table);
          if (total != NOTES) {
            wrong.add(total);
          }
          answers.release();
        } catch (UniserveException e) {
          failures.add(e.getMessage());
        }
        Waiting.think();
      }
    }

    void awaitAnswers(int more) {
      answers.drainPermits();
      answers.acquireUninterruptibly(more);
    }

    @Override
    public void close() {
      stopped = true;
      clients.close();
    }
  }

  /**
   * Writers that each store one note after another. A note that is not acknowledged is sent again
   * under its key.
   */
  private static final class Writers implements AutoCloseable {
    private static final int WRITERS = 4;

    private final RemoteCluster remote;
    private final SortedSet<String> acknowledged = new ConcurrentSkipListSet<>();
    private final ConcurrentLinkedQueue<UniserveException> wrong = new ConcurrentLinkedQueue<>();
    private final Semaphore answers = new Semaphore(0);
    private final AtomicInteger number = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Writers(RemoteCluster remote) {
      this.remote = remote;
      for (int i = 0; i < WRITERS; i++) {
        threads.execute(this::write);
      }
    }

    private void write() {
      while (!stopped) {
        String id = "n%06d".formatted(number.incrementAndGet());
        while (!stopped && !acknowledged.contains(id)) {
          try {
            remote.postRecords(
                "/api/tables/stored/records",
                StandardCharsets.UTF_8.encode("{\"id\":\"" + id + "\",\"text\":\"text\"}\n"),
                "key-" + id);
            acknowledged.add(id);
            answers.release();
          } catch (UniserveException e) {
            if (!e.retryable()) {
              wrong.add(e);
            }
          }
        }
      }
    }

    /** Waits for the given number of further answers. */
    void awaitAnswers(int more) {
      answers.drainPermits();
      Waiting.until(more + " answers", () -> !wrong.isEmpty() || answers.tryAcquire(more));
      assertThat(wrong).as("errors that no retry may mend").isEmpty();
    }

    /** Waits until everything in progress has ended. */
    void finish() {
      stopped = true;
      threads.close();
    }

    @Override
    public void close() {
      finish();
    }
  }
}
