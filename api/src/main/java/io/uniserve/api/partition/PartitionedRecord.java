package io.uniserve.api.partition;

import java.util.List;

/**
 * A unit of data (the record of DPA Fig. 2). Implemented by Java records, listed in {@link
 * io.uniserve.api.Engine#types()}.
 */
public interface PartitionedRecord {

  /**
   * Returns the key that decides which actor holds this record. Records with equal keys are always
   * in the same actor.
   */
  PartitionKey partitionKey();

  /**
   * Divides this record into the records that are sent to actors in its place. A record may, for
   * instance, stand for a copy of itself in every actor, or for many keys. Only the divided records
   * cross the wire. The client divides a record when it sends the update, and again if an actor was
   * split or merged meanwhile. The part of an actor must then hold only what actors that applied an
   * earlier part do not have.
   *
   * @param partitioner the partitioner of the table
   */
  default List<? extends PartitionedRecord> divided(Partitioner partitioner) {
    return List.of(this);
  }
}
