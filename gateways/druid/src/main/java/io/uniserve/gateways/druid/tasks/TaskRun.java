package io.uniserve.gateways.druid.tasks;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.AppendRows;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.Persist;
import io.uniserve.engines.olap.ReplaceInterval;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.JodaUtils;
import org.joda.time.Interval;

/**
 * The run of a task on its table. All rows are read and checked before anything is stored; then the
 * rows that they replace are deleted, and they are read again and appended.
 */
final class TaskRun {
  private static final int BATCH = 5_000;
  private static final int CHUNKS_MAX = 100_000;

  private final UniserveClient client;
  private final IndexTask task;
  private final TableDefinition table;
  private final OlapSchema schema;
  private final String id;
  private final Set<Interval> chunks = new HashSet<>();
  private long processed;
  private long thrownAway;

  TaskRun(UniserveClient client, IndexTask task, TableDefinition table, String id) {
    this.client = client;
    this.task = task;
    this.table = table;
    this.id = id;
    schema = OlapPlanner.schema(table);
  }

  long processed() {
    return processed;
  }

  long thrownAway() {
    return thrownAway;
  }

  /**
   * Checks all rows.
   *
   * @throws RejectedRowException naming the first one that the schema refuses
   */
  void check(TaskInput input) throws IOException {
    long[] number = new long[1];
    input.forEach(
        schema.druid(),
        values -> {
          try {
            Optional<OlapRow> row = row(values);
            if (row.isPresent()) {
              processed++;
              note(row.get());
            } else {
              thrownAway++;
            }
          } catch (UniserveException e) {
            throw new RejectedRowException(
                (int) Math.min(number[0], Integer.MAX_VALUE), e.getMessage());
          }
          number[0]++;
        });
  }

  /** Returns a row, unless the schema's filter or the task's intervals leave it out. */
  private Optional<OlapRow> row(Map<String, Object> values) {
    return schema
        .row(values)
        .filter(
            row ->
                task.intervals().isEmpty()
                    || task.intervals().stream().anyMatch(each -> each.contains(row.timeMillis())));
  }

  /** Notes the stretch of time that a row replaces. */
  private void note(OlapRow row) {
    if (task.replacing() instanceof IndexTask.Replacing.Chunks each) {
      chunks.add(each.granularity().bucket(DateTimes.utc(row.timeMillis())));
      if (chunks.size() > CHUNKS_MAX) {
        throw new UniserveException(
            ErrorCode.EXHAUSTED,
            "the rows are in more than "
                + CHUNKS_MAX
                + " stretches of the segmentGranularity: choose a coarser one");
      }
    }
  }

  private List<Interval> replaced() {
    return switch (task.replacing()) {
      case IndexTask.Replacing.Nothing nothing -> List.of();
      case IndexTask.Replacing.Chunks some -> JodaUtils.condenseIntervals(chunks);
      case IndexTask.Replacing.Intervals all -> JodaUtils.condenseIntervals(task.intervals());
    };
  }

  /**
   * Deletes the rows that are replaced, and stores the new ones on all copies. The rest of them is
   * written as segments at the end, as by Druid's task.
   */
  void store(TaskInput input) throws IOException {
    int number = 0;
    for (Interval each : replaced()) {
      client.updateAll(
          table.name(),
          new ReplaceInterval(each.getStartMillis(), each.getEndMillis()),
          options("delete/" + number++));
    }
    Batches batches = new Batches();
    input.forEach(schema.druid(), values -> row(values).ifPresent(batches));
    batches.send();
    client.updateAll(table.name(), new Persist(), options("persist"));
  }

  /** The sending of rows, many together. */
  private final class Batches implements Consumer<OlapRow> {
    private final List<OlapRow> some = new ArrayList<>();
    private int sent;

    @Override
    public void accept(OlapRow row) {
      some.add(row);
      if (some.size() >= BATCH) {
        send();
      }
    }

    void send() {
      if (!some.isEmpty()) {
        client.update(
            table.name(), new AppendRows(), List.copyOf(some), options("append/" + sent++));
        some.clear();
      }
    }
  }

  /** Returns options that make a repetition of the same update harmless. */
  private UpdateOptions options(String part) {
    return new UpdateOptions(
        UpdateOptions.ALL_COPIES.timeout(),
        UpdateOptions.ALL_COPIES.acknowledgement(),
        Optional.of(id + "/" + part));
  }
}
