package io.uniserve.engines.search;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;

/**
 * The id of a document, for {@link DeleteById}.
 *
 * @param id the identity, as in {@link Document}
 */
@Name("DocumentId")
public record DocumentId(String id) implements PartitionedRecord {
  /** Checks the id. */
  public DocumentId {
    Document.requireId(id);
  }

  @Override
  public PartitionKey partitionKey() {
    return PartitionKey.of(id);
  }
}
