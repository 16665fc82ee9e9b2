package io.uniserve.engines.sharedscan;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;

/**
 * A key whose actor a change goes to, if its tests allow only some keys.
 *
 * @param partitionKey the key
 */
@Name("Address")
public record Address(PartitionKey partitionKey) implements PartitionedRecord {}
