package io.uniserve.engines.warehouse;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.Stage;
import io.uniserve.sqlsyntax.SqlTable;
import java.nio.ByteBuffer;
import java.time.temporal.Temporal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Stores the rows of a query in a table that nobody can name yet, and so in as many updates as it
 * takes. Of a query that only passes on what the actors give, one actor's rows are held at a time,
 * or those of some that have few; otherwise all that it gives, both within {@link
 * StagePlan#GATHERED_BYTES_MAX}.
 *
 * @param warehouse that has the table
 * @param query whose columns are the table's
 * @param table the table
 */
record Filling(TableDefinition warehouse, SqlQuery query, SqlTable table) {
  private static final int UPDATE_ROWS_MAX = 50_000;
  private static final int UPDATE_BYTES_MAX = 16 << 20;

  /** Answers how many rows there were. */
  Plan<Long> plan() {
    return passes()
        ? ofActors(new UnreadActors(warehouse.name()), List.of(), 0)
        : query.plan(Filling::blocks).then(blocks -> stored(new ArrayDeque<>(blocks), 0));
  }

  private boolean passes() {
    return ArrowQuery.onlyPasses(query.small());
  }

  /** Nothing is stored before there is a good deal, or all: until then one can begin again. */
  private Plan<Long> ofActors(UnreadActors unread, List<ByteBuffer> held, long before) {
    Stage stage = query.small().stages().getFirst();
    return new Plan.Query<>(
            new Source.Table(warehouse.name(), unread.next(1)),
            new RunStage(stage.name(), stage.sql(), List.of()),
            StagePlan.Gathered::new)
        .then(
            blocks -> {
              List<ByteBuffer> all =
                  new ArrayList<>(unread.beganAgain() ? List.<ByteBuffer>of() : held);
              all.addAll(blocks);
              unread.took();
              long bytes = all.stream().mapToLong(ByteBuffer::remaining).sum();
              if (unread.more() && bytes <= ArrowQuery.WAVE_BYTES) {
                return ofActors(unread, all, before);
              }
              unread.gave();
              Plan<Long> stored = stored(new ArrayDeque<>(all), before);
              return unread.more()
                  ? stored.then(rows -> ofActors(unread, List.of(), rows))
                  : stored;
            });
  }

  /** What the last stage gives, in the order of the query's columns. */
  private static List<ByteBuffer> blocks(LastStage last) {
    Collected all = new Collected();
    ClientStage.stream(last, all);
    return all.blocks;
  }

  private static final class Collected implements ArrowSink {
    private final List<ByteBuffer> blocks = new ArrayList<>();
    private long bytes;

    @Override
    public void rows(VectorSchemaRoot rows) {
      ByteBuffer block = Blocks.of(rows);
      bytes += block.remaining();
      if (bytes > StagePlan.GATHERED_BYTES_MAX) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE,
            "SQL: a query for a table gives at most "
                + StagePlan.GATHERED_BYTES_MAX
                + " bytes where it was asked");
      }
      blocks.add(block);
    }

    @Override
    public void whenCancelled(Runnable action) {
      // a change that was begun is not cancelled, but ends with its deadline
    }
  }

  private Plan<Long> stored(Deque<ByteBuffer> blocks, long before) {
    List<Map<String, Object>> rows = new ArrayList<>();
    long bytes = 0;
    while (!blocks.isEmpty() && rows.size() < UPDATE_ROWS_MAX && bytes < UPDATE_BYTES_MAX) {
      ByteBuffer block = blocks.remove();
      bytes += block.remaining();
      Blocks.read(
          block,
          batch -> add(passes() ? ArrowTable.named(batch, query.small().columns()) : batch, rows));
    }
    if (rows.isEmpty()) {
      return new Plan.Known<>(before);
    }
    List<PartitionedRecord> records = WarehousePlanner.records(rows, row -> table);
    return new Plan.Update(warehouse.name(), new PutRows(), records)
        .then(done -> stored(blocks, before + rows.size()));
  }

  private void add(VectorSchemaRoot batch, List<Map<String, Object>> rows) {
    for (int i = 0; i < batch.getRowCount(); i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int column = 0; column < table.columns().size(); column++) {
        Object value = ArrowValue.of(batch.getVector(column), i);
        row.put(
            table.columns().get(column).name(),
            value instanceof Temporal ? value.toString() : value);
      }
      rows.add(row);
    }
  }
}
