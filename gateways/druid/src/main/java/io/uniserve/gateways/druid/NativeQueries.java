package io.uniserve.gateways.druid;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.query.DruidClient;
import io.uniserve.engines.olap.query.Queries;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.druid.java.util.common.guava.Yielder;
import org.apache.druid.java.util.common.guava.Yielders;
import org.apache.druid.query.Query;

/** Native queries: read, run, and written as their results come. */
final class NativeQueries {
  private static final int ID_LENGTH_MAX = 200;

  private final UniserveClient client;
  private final DruidClient druid;
  private final Map<String, Running> running = new ConcurrentHashMap<>();

  NativeQueries(UniserveClient client, DruidClient druid) {
    this.client = client;
    this.druid = druid;
  }

  /** A query that runs on a thread. */
  private record Running(Thread thread, Set<String> tables) {}

  void answer(byte[] body, boolean pretty, HttpServletResponse response) throws IOException {
    Query<Object> sent = Queries.read(new String(body, StandardCharsets.UTF_8));
    Queries.check(sent.context());
    Set<String> tables = sent.getDataSource().getTableNames();
    tables.forEach(client.queries()::requireRead);
    druid.readLookups(sent);
    Query<Object> query = sent.getId() == null ? sent.withId(UUID.randomUUID().toString()) : sent;
    if (query.getId().length() > ID_LENGTH_MAX) {
      throw UniserveException.invalid("the queryId has more than " + ID_LENGTH_MAX + " characters");
    }
    Running own = new Running(Thread.currentThread(), tables);
    running.put(query.getId(), own);
    try {
      response.setContentType("application/json");
      response.setHeader("X-Druid-Query-Id", query.getId());
      write(query, pretty, response);
    } finally {
      running.remove(query.getId(), own);
    }
  }

  private void write(Query<Object> query, boolean pretty, HttpServletResponse response)
      throws IOException {
    ObjectMapper mapper = DruidClient.mapper(query);
    ObjectWriter writer = pretty ? mapper.writerWithDefaultPrettyPrinter() : mapper.writer();
    Optional<StreamedScan> scan = StreamedScan.of(client, query);
    if (scan.isPresent()) {
      scan.get().write(() -> writer.createGenerator(response.getOutputStream()));
      return;
    }
    // The first result is computed before anything is written, so that a failure has its own
    // answer.
    Yielder<Object> results = Yielders.each(druid.run(query));
    try (SequenceWriter array = writer.writeValuesAsArray(response.getOutputStream())) {
      while (!results.isDone()) {
        array.write(results.get());
        results = results.next(null);
      }
    } finally {
      results.close();
    }
  }

  /** Ends a query, if it still runs. */
  void cancel(String id) {
    Running query = running.get(id);
    if (query != null) {
      query.tables.forEach(client.queries()::requireRead);
      System.getLogger(NativeQueries.class.getName())
          .log(System.Logger.Level.INFO, "query " + Excerpt.of(id) + " is cancelled");
      query.thread.interrupt();
    }
  }
}
