package io.uniserve.bench.operators;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A plan in which every actor sends to others. Each actor counts what it receives, and the counts
 * are added.
 */
final class Exchange {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private Exchange() {}

  /**
   * Returns the plan.
   *
   * @param bytes the least number of bytes that each actor sends to each other; 0 for an empty
   *     chunk to each actor, itself included
   */
  static Plan<Received> plan(Partitioner.Hash partitioner, long bytes) {
    Source.Table actors = Source.table(BlockEngine.TABLE);
    Source.Gathered gathered =
        new Source.Gathered(
            List.of(new Source.Scattered(actors, new SendAway(keys(partitioner), bytes))),
            Optional.of(actors),
            new Count());
    return new Plan.Query<>(
        gathered,
        new Tell(),
        Operator.Combine.<Received, Received>fold(new Received(0, 0), Received::plus));
  }

  /** Returns for each actor a key that belongs to it. */
  private static List<PartitionKey> keys(Partitioner.Hash partitioner) {
    PartitionKey[] keys = new PartitionKey[partitioner.actors()];
    int found = 0;
    for (long candidate = 0; found < keys.length; candidate++) {
      PartitionKey key = PartitionKey.of(candidate);
      int actor = partitioner.actorOf(key);
      if (keys[actor] == null) {
        keys[actor] = key;
        found++;
      }
    }
    return List.of(keys);
  }

  /** An operator that sends blocks to the other actors, or an empty chunk to each. */
  record SendAway(List<PartitionKey> actors, long bytes) implements Operator.Scatter<BlockActor> {
    @Override
    public void scatter(BlockActor actor, Output<Operator.Chunk> chunks, OperatorContext context) {
      for (int to = 0; to < actors.size(); to++) {
        PartitionKey key = actors.get(to);
        if (bytes == 0) {
          chunks.put(new Operator.Chunk(key, NOTHING.duplicate()));
        } else if (to != context.actor()) {
          long size = actor.rows().remaining();
          LongStream.range(0, Math.ceilDiv(bytes, size))
              .forEach(i -> chunks.put(new Operator.Chunk(key, actor.rows())));
        }
      }
    }
  }

  /** An operator that counts the chunks that an actor receives. */
  record Count() implements Operator.Gather<BlockActor, Counted> {
    @Override
    public Counted gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<BlockActor> anchor,
        OperatorContext context) {
      long bytes = 0;
      long count = 0;
      while (chunks.hasNext()) {
        bytes += chunks.next().remaining();
        count++;
      }
      return new Counted(new Received(bytes, count));
    }
  }

  /** The data that one actor received. */
  record Counted(Received received) implements Dataset {
    @Override
    public Usage usage() {
      return Usage.NONE;
    }
  }

  /** An operator that returns the count of what an actor received. */
  record Tell() implements Operator.Retrieve<Counted, Received> {
    @Override
    public void retrieve(Counted counted, Output<Received> values, OperatorContext context) {
      values.put(counted.received());
    }
  }

  /**
   * The received data.
   *
   * @param bytes the size of all chunks
   * @param chunks the number of chunks
   */
  public record Received(long bytes, long chunks) {
    Received plus(Received other) {
      return new Received(bytes + other.bytes, chunks + other.chunks);
    }
  }
}
