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
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.JodaUtils;
import org.joda.time.Interval;

/**
 * The run of a task on its table. All rows are read and checked before anything is stored; then the
 * rows that they replace are deleted, and they are read again and appended.
 */
final class TaskRun {
  private static final int CHUNKS_MAX = 100_000;

  /** The time for segments to be merged: much longer than a batch takes. */
  private static final Duration PERSIST_TIMEOUT = Duration.ofMinutes(10);

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
    int[] number = new int[1];
    ReadAhead.<Map<String, Object>>run(
        rows -> input.forEach(schema.druid(), rows),
        batch -> batch.forEach(values -> check(number[0]++, values)));
  }

  private void check(int number, Map<String, Object> values) {
    try {
      Optional<OlapRow> row = row(values);
      if (row.isPresent()) {
        processed++;
        note(row.get());
      } else {
        thrownAway++;
      }
    } catch (UniserveException e) {
      throw new RejectedRowException(number, e.getMessage());
    }
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
   * written as segments at the end, which are merged, as by Druid's task.
   */
  void store(TaskInput input) throws IOException {
    int number = 0;
    for (Interval each : replaced()) {
      client.updateAll(
          table.name(),
          new ReplaceInterval(each.getStartMillis(), each.getEndMillis()),
          options("delete/" + number++));
    }
    int[] sent = new int[1];
    ReadAhead.<OlapRow>run(
        rows -> input.forEach(schema.druid(), values -> row(values).ifPresent(rows)),
        batch ->
            client.update(table.name(), new AppendRows(), batch, options("append/" + sent[0]++)));
    client.updateAll(table.name(), new Persist(), options("persist", PERSIST_TIMEOUT));
  }

  private UpdateOptions options(String part) {
    return options(part, UpdateOptions.ALL_COPIES.timeout());
  }

  /** Returns options that make a repetition of the same update harmless. */
  private UpdateOptions options(String part, Duration timeout) {
    return new UpdateOptions(
        timeout, UpdateOptions.ALL_COPIES.acknowledgement(), Optional.of(id + "/" + part));
  }
}
