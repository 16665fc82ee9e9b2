package io.uniserve.sql.changes;

import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.arrow.SpreadRows;
import io.uniserve.sql.arrow.Spreading;
import io.uniserve.sql.backend.RowBlock;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Rows of a SQL table. Each actor is sent its own rows as {@link RowBlock}s, or all rows if the
 * table is replicated.
 *
 * @param table the SQL table
 * @param rows the rows, with the table's columns in their order; they must stay until they are
 *     stored
 */
record DividedBlock(SqlTable table, VectorSchemaRoot rows) implements PartitionedRecord {
  /** Returns the key of some row, since the block has many. */
  @Override
  public PartitionKey partitionKey() {
    return Spreading.NULL;
  }

  /**
   * Divides the rows into blocks whose rows have always had the same actor since the table began.
   * Of two actors that were merged, each has therefore stored all of a block or nothing of it.
   */
  @Override
  public List<RowBlock> divided(Partitioner partitioner) {
    List<RowBlock> blocks = new ArrayList<>();
    if (table.replicated()) {
      ByteBuffer block = Blocks.of(rows);
      Spreading.everyActor(partitioner)
          .values()
          .forEach(
              actor -> blocks.add(new RowBlock(actor, table.stored(), block.asReadOnlyBuffer())));
      return blocks;
    }
    List<Integer> columns = table.partitionBy().stream().map(table::indexOf).toList();
    Places places = new Places(partitioner);
    try (SpreadRows spread =
        new SpreadRows(
            places::of,
            columns,
            (place, some) ->
                blocks.add(new RowBlock(places.keys.get(place), table.stored(), some)))) {
      spread.accept(rows);
      spread.flush();
    }
    return blocks;
  }

  /**
   * The places of rows: one for each sequence of actors that some key has had, with the first such
   * key.
   */
  private static final class Places {
    private final Partitioner partitioner;
    private final Map<List<Integer>, Integer> places = new LinkedHashMap<>();
    private final List<PartitionKey> keys = new ArrayList<>();

    Places(Partitioner partitioner) {
      this.partitioner = partitioner;
    }

    int of(PartitionKey key) {
      return places.computeIfAbsent(
          line(key),
          line -> {
            keys.add(key);
            return keys.size() - 1;
          });
    }

    private List<Integer> line(PartitionKey key) {
      int actor = partitioner.base().actorOf(key);
      List<Integer> line = new ArrayList<>(List.of(actor));
      for (PartitionChange change : partitioner.history()) {
        int next = change.next(partitioner.base(), actor, key);
        if (next != actor) {
          actor = next;
          line.add(actor);
        }
      }
      return line;
    }
  }
}
