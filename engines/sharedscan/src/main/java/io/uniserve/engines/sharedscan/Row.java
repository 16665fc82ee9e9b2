package io.uniserve.engines.sharedscan;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.nio.ByteBuffer;

/**
 * A record to insert.
 *
 * @param partitionKey the key of the value that decides where it is
 * @param cells its values in {@linkplain io.uniserve.engines.sharedscan.data.Cells compact form}
 */
@Name("Row")
public record Row(PartitionKey partitionKey, ByteBuffer cells) implements PartitionedRecord {}
