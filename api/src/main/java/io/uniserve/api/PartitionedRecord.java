package io.uniserve.api;

/**
 * A unit of data (the record of DPA Fig. 2). Implemented by Java records, listed in {@link
 * Engine#types()}.
 */
public interface PartitionedRecord {

  /** The key that decides which actor holds this record. Equal keys always meet in one actor. */
  PartitionKey partitionKey();
}
