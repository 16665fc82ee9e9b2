package io.uniserve.gateways.druid;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.AppendRows;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.wire.cluster.TableState;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.druid.data.input.ColumnsFilter;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.InputRowSchema;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.java.util.common.parsers.CloseableIterator;
import org.apache.druid.segment.indexing.DataSchema;

/**
 * Tasks of ingestion. A task is carried out while its sender waits: when it has a number, its rows
 * are on all copies. If there is no such table, it is made as the task's schema says.
 */
final class IndexTasks {
  private static final int TASKS_MAX = 1_000;
  private static final int BATCH = 5_000;
  private static final int ACTORS = 8;
  private static final int REPLICAS = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final UniserveClient client;

  /** The latest tasks that ended well, by number, and their tables. */
  private final Map<String, String> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > TASKS_MAX;
        }
      };

  IndexTasks(UniserveClient client) {
    this.client = client;
  }

  void run(byte[] body, HttpServletResponse response) throws IOException {
    IndexTask task = IndexTask.read(body);
    TableDefinition table = table(task);
    client.updates().requireWrite(table.name());
    List<Map<String, Object>> rows = rows(task, OlapPlanner.schema(table).druid());
    List<OlapRow> records = new OlapPlanner().records(table, rows);
    String id = "index_" + table.name() + "_" + UUID.randomUUID();
    for (int from = 0; from < records.size(); from += BATCH) {
      List<OlapRow> some = records.subList(from, Math.min(from + BATCH, records.size()));
      client.update(table.name(), new AppendRows(), some, options(id + "/" + from));
    }
    synchronized (ended) {
      ended.put(id, table.name());
    }
    write(response, Map.of("task", id));
  }

  private static UpdateOptions options(String key) {
    return new UpdateOptions(
        UpdateOptions.ALL_COPIES.timeout(),
        UpdateOptions.ALL_COPIES.acknowledgement(),
        Optional.of(key));
  }

  private TableDefinition table(IndexTask task) {
    Optional<TableState> known = client.table(task.dataSource());
    if (known.isPresent()) {
      TableDefinition definition = known.get().definition();
      if (!definition.engine().equals(OlapEngine.NAME)) {
        throw UniserveException.invalid(
            "table '" + definition.name() + "' is not of engine 'olap'");
      }
      return definition;
    }
    TableDefinition definition =
        new TableDefinition(
            task.dataSource(),
            OlapEngine.NAME,
            new Partitioner.Hash(ACTORS),
            REPLICAS,
            Durability.ASYNCHRONOUS,
            task.schema());
    return client.createTable(definition, TIMEOUT).definition();
  }

  /** Reads the rows of a task; all of them, before any is stored. */
  private static List<Map<String, Object>> rows(IndexTask task, DataSchema schema)
      throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    Path temporary = Files.createTempDirectory("uniserve-task");
    InputRowSchema columns =
        new InputRowSchema(
            schema.getTimestampSpec(), schema.getDimensionsSpec(), ColumnsFilter.all());
    try (CloseableIterator<InputRow> read =
        task.source().reader(columns, task.format(), temporary.toFile()).read()) {
      while (read.hasNext()) {
        if (read.next() instanceof MapBasedInputRow row) {
          rows.add(row.getEvent());
        }
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
    return rows;
  }

  /** Shows how a task ended. */
  void status(String id, HttpServletResponse response) throws IOException {
    String table;
    synchronized (ended) {
      table = ended.get(id);
    }
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "there is no task '" + Excerpt.of(id) + "' that ended here");
    }
    client.queries().requireRead(table);
    write(
        response,
        Map.of(
            "task",
            id,
            "status",
            Map.of("id", id, "dataSource", table, "status", "SUCCESS", "statusCode", "SUCCESS")));
  }

  private static void write(HttpServletResponse response, Object value) throws IOException {
    response.setContentType("application/json");
    JSON.writeValue(response.getOutputStream(), value);
  }
}
