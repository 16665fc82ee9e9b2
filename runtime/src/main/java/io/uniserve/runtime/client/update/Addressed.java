package io.uniserve.runtime.client.update;

import io.uniserve.api.Source;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The actors that an update goes to, and the records of each. */
public sealed interface Addressed {
  /** Returns the records of each actor, as the table is partitioned now. */
  SortedMap<Integer, List<PartitionedRecord>> byActor(Partitioner partitioner, TableState table);

  /** Returns the records that are sent, in the order of the caller's records. */
  List<PartitionedRecord> inOrder(Partitioner partitioner);

  /**
   * The actors of records.
   *
   * @param records the records of the caller, which may be divided among actors
   */
  record ByKey(List<? extends PartitionedRecord> records) implements Addressed {
    @Override
    public SortedMap<Integer, List<PartitionedRecord>> byActor(
        Partitioner partitioner, TableState table) {
      SortedMap<Integer, List<PartitionedRecord>> byActor = new TreeMap<>();
      for (PartitionedRecord part : inOrder(partitioner)) {
        int actor = partitioner.actorOf(part.partitionKey());
        byActor.computeIfAbsent(actor, number -> new ArrayList<>()).add(part);
      }
      return byActor;
    }

    @Override
    public List<PartitionedRecord> inOrder(Partitioner partitioner) {
      List<PartitionedRecord> sent = new ArrayList<>();
      records.forEach(record -> sent.addAll(record.divided(partitioner)));
      return sent;
    }
  }

  /**
   * The actors that a read needs, without records.
   *
   * @param source the part of the table that is read; empty for all actors
   */
  record Read(Optional<Source.Table> source) implements Addressed {
    @Override
    public SortedMap<Integer, List<PartitionedRecord>> byActor(
        Partitioner partitioner, TableState table) {
      SortedMap<Integer, List<PartitionedRecord>> byActor = new TreeMap<>();
      Collection<Integer> actors =
          source.isPresent() ? partitioner.actorsOf(source.get().keys()) : table.living().keySet();
      actors.forEach(actor -> byActor.put(actor, List.of()));
      return byActor;
    }

    @Override
    public List<PartitionedRecord> inOrder(Partitioner partitioner) {
      return List.of();
    }
  }

  /** Every actor, without records. */
  record All() implements Addressed {
    @Override
    public SortedMap<Integer, List<PartitionedRecord>> byActor(
        Partitioner partitioner, TableState table) {
      SortedMap<Integer, List<PartitionedRecord>> byActor = new TreeMap<>();
      table.living().keySet().forEach(actor -> byActor.put(actor, List.of()));
      return byActor;
    }

    @Override
    public List<PartitionedRecord> inOrder(Partitioner partitioner) {
      return List.of();
    }
  }
}
