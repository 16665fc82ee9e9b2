package io.uniserve.bench.faults;

import io.uniserve.api.Consistency;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.NodeProcesses;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A search table of one consistency level, and clients of the gateway that add documents to it and
 * count them. A count must include every document that was acknowledged before the count was
 * requested.
 */
final class TableLoad implements AutoCloseable {
  static final int COPIES = 2;
  private static final int ACTORS = 4;
  private static final int CLIENTS = 2;

  private final RemoteCluster remote;
  private final Consistency level;
  private final String table;
  private final AtomicLong acknowledged = new AtomicLong();
  private final List<Client> writers = new ArrayList<>();
  private final List<Client> readers = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * The outcome of a table's requests around one fault.
   *
   * @param writes the outcome of its writers
   * @param reads the outcome of its readers
   */
  record Outcome(Waits writes, Waits reads) {}

  /** Creates the table and starts the clients. */
  TableLoad(NodeProcesses cluster, Consistency level) {
    this.remote = cluster.remote();
    this.level = level;
    table = level.name().toLowerCase(Locale.ROOT);
    cluster.createSearchTable(table, ACTORS, COPIES, level);
    for (int i = 0; i < CLIENTS; i++) {
      String prefix = i + "-";
      writers.add(new Client(number -> add(prefix + number)));
      readers.add(new Client(number -> count()));
    }
    writers.forEach(threads::execute);
    readers.forEach(threads::execute);
  }

  Consistency level() {
    return level;
  }

  private boolean add(String id) {
    String line = "{\"id\":\"" + id + "\",\"body\":\"text\"}\n";
    String visible = level == Consistency.EVENTUAL ? "&visible=true" : "";
    remote.postRecords(
        "/api/tables/" + table + "/records?acknowledge=all" + visible,
        StandardCharsets.UTF_8.encode(line),
        table + "-" + id);
    acknowledged.incrementAndGet();
    return true;
  }

  private boolean count() {
    long least = acknowledged.get();
    return total() >= least;
  }

  private long total() {
    Map<String, Object> answer = remote.get("/api/tables/" + table + "/query?q=text&rows=1");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  /** Waits until every client has made some requests that began after this call. */
  void awaitWork() {
    for (Client client : clients()) {
      long enough = client.ended() + 2;
      while (client.ended() < enough) {
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  private List<Client> clients() {
    List<Client> all = new ArrayList<>(writers);
    all.addAll(readers);
    return all;
  }

  /** Returns the outcome of all requests that have ended since the last call. */
  Outcome take() {
    return new Outcome(taken(writers), taken(readers));
  }

  private static Waits taken(List<Client> clients) {
    return clients.stream().map(Client::take).reduce(Waits.NONE, Waits::and);
  }

  /**
   * Ends the writers and compares the stored documents with the acknowledged ones.
   *
   * @throws BenchException if a document is lost or stored twice
   */
  void check() {
    close();
    long found = total();
    if (found != acknowledged.get()) {
      throw new BenchException(
          "Table %s has %,d documents of %,d that were acknowledged"
              .formatted(table, found, acknowledged.get()));
    }
  }

  @Override
  public void close() {
    clients().forEach(Client::stop);
    threads.close();
  }
}
