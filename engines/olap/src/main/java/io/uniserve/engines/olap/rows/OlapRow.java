package io.uniserve.engines.olap.rows;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * A row of a datasource, checked against its schema. Its key is its time, as the schema cuts it,
 * and then a hash of its dimensions. So a range of keys is an interval of time, rows that roll up
 * into one are always in the same actor, and even the rows of one moment can be spread by hash.
 *
 * @param keyMillis the time as cut by the query granularity, in milliseconds since 1970
 * @param hash the hash of the dimensions
 * @param timeMillis the time as given
 * @param values the values by field: text, numbers, booleans, lists and maps of these
 */
@Name("OlapRow")
public record OlapRow(long keyMillis, long hash, long timeMillis, Map<String, Object> values)
    implements PartitionedRecord {
  /** Returns the key of all rows of this time and with dimensions of this hash. */
  public static PartitionKey key(long keyMillis, long hash) {
    return PartitionKey.of(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(keyMillis ^ Long.MIN_VALUE)
            .putLong(hash)
            .array());
  }

  @Override
  public PartitionKey partitionKey() {
    return key(keyMillis, hash);
  }
}
