package io.uniserve.sql.backend;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.nio.ByteBuffer;

/**
 * Rows of a SQL table that belong to one actor, column by column.
 *
 * @param partitionKey a key that the actor holds
 * @param table the SQL table's name
 * @param rows an Arrow stream with the table's columns, in their order and types
 */
@Name("RowBlock")
public record RowBlock(PartitionKey partitionKey, String table, ByteBuffer rows)
    implements PartitionedRecord {}
