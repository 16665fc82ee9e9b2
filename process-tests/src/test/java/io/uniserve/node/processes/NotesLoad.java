package io.uniserve.node.processes;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A load that stores notes in a table and counts them, without end, and checks the answers. A count
 * returns every note acknowledged before it and no note that nobody stored, or an error that a
 * retry may remedy. A note that is not acknowledged is sent again under its key.
 */
final class NotesLoad implements AutoCloseable {
  private static final int WRITERS = 2;

  private final RemoteCluster remote;
  private final String table;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Semaphore stores = new Semaphore(0);
  private final Semaphore counts = new Semaphore(0);
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean stopped;
  private volatile boolean abandoned;

  private NotesLoad(RemoteCluster remote, String table) {
    this.remote = remote;
    this.table = table;
  }

  /** Creates the table and begins. */
  static NotesLoad begin(RemoteCluster remote, String table, long replicas, String durability) {
    Waiting.forTable(
        remote,
        Map.of(
            "name", table,
            "engine", "notes",
            "actors", 4L,
            "replicas", replicas,
            "durability", durability));
    NotesLoad load = new NotesLoad(remote, table);
    for (int i = 0; i < WRITERS; i++) {
      load.clients.execute(load::storeAlways);
    }
    load.clients.execute(load::countAlways);
    return load;
  }

  private void storeAlways() {
    while (!stopped) {
      long number = begun.incrementAndGet();
      while (!stored(number) && !abandoned) {
        Waiting.think();
      }
      stores.release();
      Waiting.think();
    }
  }

  private boolean stored(long number) {
    String id = "n" + number;
    try {
      remote.postRecords(
          "/api/tables/" + table + "/records?acknowledge=all",
          StandardCharsets.UTF_8.encode("{\"id\":\"" + id + "\",\"text\":\"text\"}\n"),
          "key-" + table + id);
      acknowledged.incrementAndGet();
      return true;
    } catch (UniserveException e) {
      require(e.retryable(), "storing " + id + " failed: " + e);
      return !e.retryable();
    }
  }

  private void countAlways() {
    while (!stopped) {
      long least = acknowledged.get();
      try {
        long total = (Long) answer(0).get("total");
        long most = begun.get();
        require(
            least <= total && total <= most,
            total + " notes where " + least + " to " + most + " are right");
        counts.release();
      } catch (UniserveException e) {
        require(e.retryable(), "a count failed: " + e);
      }
      Waiting.think();
    }
  }

  private Map<String, Object> answer(long rows) {
    Settings answer =
        new Settings(
            "the answer", remote.get("/api/tables/" + table + "/query?q=text&rows=" + rows));
    return answer.object("result");
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      violations.add(table + ": " + what);
    }
  }

  /** Waits until the given number of further notes were stored and as many answers arrived. */
  void awaitRounds(int more) {
    stores.drainPermits();
    counts.drainPermits();
    stores.acquireUninterruptibly(more);
    counts.acquireUninterruptibly(more);
  }

  /** Waits until everything pending has ended, and checks that each note is stored once. */
  void finish() {
    stopped = true;
    clients.close();
    Map<String, Object> answer = answer(begun.get() + 1);
    List<?> hits = new Settings("the result", answer).list("hits");
    Set<String> ids = new TreeSet<>();
    hits.forEach(hit -> ids.add((String) ((Map<?, ?>) hit).get("id")));
    require(ids.size() == hits.size(), "some notes are there twice");
    for (long number = 1; number <= begun.get(); number++) {
      require(ids.contains("n" + number), "n" + number + " was acknowledged and is lost");
    }
    require(hits.size() == begun.get(), hits.size() + " notes where there are " + begun.get());
    System.out.println(table + ": " + begun.get() + " notes");
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  @Override
  public void close() {
    stopped = true;
    abandoned = true;
    clients.close();
  }
}
