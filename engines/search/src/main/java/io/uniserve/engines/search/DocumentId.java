package io.uniserve.engines.search;

import io.uniserve.api.PartitionKey;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.codec.Name;

/**
 * Names a document, for {@link DeleteById}.
 *
 * @param id as in {@link Document}
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
