package io.uniserve.runtime.wire.plan;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;

/** The assignment of attributes to the parts of a gather. */
public sealed interface Spread {
  /** The largest number of parts of a gather without an anchor. */
  int PARTS_MAX = 1024;

  /** Returns the part of an attribute, from 0. */
  int partOf(PartitionKey attribute);

  /** Returns how many parts there are. */
  int parts();

  /**
   * Attributes are assigned by hash.
   *
   * @param parts the number of parts, at most {@value #PARTS_MAX}
   */
  @Name("ByHash")
  record ByHash(int parts) implements Spread {
    /** Checks the count. */
    public ByHash {
      if (parts < 1 || parts > PARTS_MAX) {
        throw UniserveException.invalid("a gather has 1 to " + PARTS_MAX + " parts, not " + parts);
      }
    }

    @Override
    public int partOf(PartitionKey attribute) {
      return (int) Long.remainderUnsigned(attribute.stableHash(), parts);
    }
  }

  /**
   * Attributes are assigned as an anchor's records are: part {@code i} is that of actor {@code i}.
   *
   * @param partitioner the anchor's
   */
  @Name("AsActors")
  record AsActors(Partitioner partitioner) implements Spread {
    @Override
    public int partOf(PartitionKey attribute) {
      return partitioner.actorOf(attribute);
    }

    @Override
    public int parts() {
      return partitioner.actors();
    }
  }
}
