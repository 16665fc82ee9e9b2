package io.uniserve.node.demo;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.Retries;
import io.uniserve.node.rows.Item;
import io.uniserve.node.rows.RowFile;
import io.uniserve.node.rows.RowReader;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.ProgressLine;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.client.QueryOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A datasource of the demo of OLAP: it is loaded from an archive of the program, and asked queries
 * whose answers are known.
 *
 * @param cluster the cluster
 * @param definition the table
 * @param archive the name of the archive of its rows
 * @param what the plural of its rows, for people
 * @param count the number of its rows
 */
record OlapDatasource(
    EmbeddedCluster cluster,
    TableDefinition definition,
    String archive,
    String what,
    long count,
    PrintStream out,
    Style style) {
  private static final int BATCH = 2_000;
  private static final int BATCHES_IN_FLIGHT = 3;
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** A query, and what its answer has to contain. */
  record Asked(String what, String query, String answer) {}

  /** Makes the table anew, and loads its rows. */
  void make() {
    if (cluster.client().state().table(definition.name()).isPresent()) {
      cluster.client().dropTable(definition.name(), TIMEOUT);
    }
    cluster.client().createTable(definition, TIMEOUT);
    load();
  }

  private void load() {
    LongAdder stored = new LongAdder();
    Duration took;
    try (ProgressLine progress =
        new ProgressLine(out, style, what, count, stored::sum, stored::sum)) {
      InputStream file = OlapDatasource.class.getResourceAsStream("/demo/" + archive);
      if (file == null) {
        throw new IllegalStateException("the program lacks its resource demo/" + archive);
      }
      RowReader rows = RowFile.open(archive, file, read -> {});
      new BatchStore(cluster.client(), definition, BATCHES_IN_FLIGHT, Retries.DEFAULT)
          .store(() -> next(rows), stored::add);
      took = progress.elapsed();
    }
    out.println(
        "Loaded "
            + Figures.count(stored.sum())
            + " "
            + what
            + " on all copies in "
            + style.good(Figures.duration(took)));
  }

  private static List<Map<String, Object>> next(RowReader rows) {
    try {
      List<Map<String, Object>> batch = new ArrayList<>(BATCH);
      while (batch.size() < BATCH) {
        Optional<Item> item = rows.next();
        if (item.isEmpty()) {
          break;
        }
        if (!(item.get() instanceof Item.Row row)) {
          throw new IllegalStateException("an archive of the demo is damaged: " + item.get());
        }
        batch.add(Settings.object("a row", Json.parse(row.json(), 0, row.json().length)));
      }
      return batch;
    } catch (IOException e) {
      throw new IllegalStateException("an archive of the demo is damaged", e);
    }
  }

  /** Returns what is wrong with the answer to a query, if anything is. */
  Optional<String> wrong(Asked asked) {
    try {
      Object answer =
          cluster
              .client()
              .query(
                  cluster.client().planner(definition).plan(definition, asked.query, Map.of()),
                  new QueryOptions(TIMEOUT));
      String text = String.valueOf(sorted(answer));
      return text.contains(asked.answer)
          ? Optional.empty()
          : Optional.of(asked.what + ": " + text + " instead of " + asked.answer);
    } catch (UniserveException e) {
      return Optional.of(asked.what + ": " + e.getMessage());
    }
  }

  /** Returns a document whose objects have their fields in order. */
  private static Object sorted(Object document) {
    return switch (document) {
      case Map<?, ?> map -> {
        Map<String, Object> fields = new TreeMap<>();
        map.forEach((name, value) -> fields.put((String) name, sorted(value)));
        yield fields;
      }
      case List<?> list -> list.stream().map(OlapDatasource::sorted).toList();
      case null, default -> document;
    };
  }

  /** Shows the answer to a query, and the time that it took. */
  void show(Asked asked, List<String> problems) {
    long started = System.nanoTime();
    Optional<String> wrong = wrong(asked);
    String took = Figures.duration(Duration.ofNanos(System.nanoTime() - started));
    wrong.ifPresent(problems::add);
    out.printf(
        "  %-28s %10s  %s%n",
        asked.what, took, wrong.map(style::bad).orElseGet(() -> style.good(asked.answer)));
  }
}
