package io.uniserve.api;

import java.util.List;

/**
 * A unit of data (the record of DPA Fig. 2). Implemented by Java records, listed in {@link
 * Engine#types()}.
 */
public interface PartitionedRecord {

  /** The key that decides which actor holds this record. Equal keys always meet in one actor. */
  PartitionKey partitionKey();

  /**
   * What is sent to actors in the place of this record. One may stand for a copy of itself in every
   * actor, or for many keys; only what it is divided into then crosses the wire. It is divided when
   * the update is sent, and again if an actor turns out to have been split or merged meanwhile: all
   * that is then one actor's must be what an actor that has applied an earlier part has not.
   *
   * @param partitioner of the table
   */
  default List<? extends PartitionedRecord> divided(Partitioner partitioner) {
    return List.of(this);
  }
}
