package io.uniserve.simulation.model;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Operators of a plan that sends data to every actor, and reads each actor with the received data
 * only later, as a join in a database does.
 */
public final class AtHome {
  private AtHome() {}

  /** A scatter of the number of operations to every actor of the run. */
  public record ScatterCounts() implements Operator.Scatter<Dataset> {
    @Override
    public void scatter(Dataset input, Output<Chunk> chunks, OperatorContext context) {
      Partitioner partitioner = context.anchor().orElseThrow();
      Collection<PartitionKey> attributes = partitioner.keyOfEach().values();
      OperationSet.of(input)
          .counts()
          .forEach(
              (actor, count) ->
                  attributes.forEach(
                      to -> chunks.put(new Chunk(to, OperationSet.chunkOf(actor, count)))));
    }
  }

  /** A gather that puts received data beside the actor that received it. */
  public record GatherBeside() implements Operator.Gather<ModelActor, Beside> {
    @Override
    public Beside gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<ModelActor> anchor,
        OperatorContext context) {
      OperationSet counts = new OperationSet();
      chunks.forEachRemaining(counts::take);
      return new Beside(anchor.orElseThrow(), counts);
    }
  }

  /**
   * An actor, which is read when this dataset is.
   *
   * @param actor the actor
   * @param came the received numbers of operations of other actors
   */
  public record Beside(ModelActor actor, OperationSet came) implements Dataset {
    @Override
    public Usage usage() {
      return came.usage();
    }

    @Override
    public void close() {
      came.close();
    }
  }

  /** A retrieve of the actors' operations, and of what each says of itself. */
  public record ReadBeside() implements Operator.Retrieve<Beside, ReadOperations.Part> {
    @Override
    public void retrieve(Beside set, Output<ReadOperations.Part> parts, OperatorContext context) {
      List<Operation> journal = set.actor().visible();
      int number = set.actor().context().actor();
      set.came().counts(); // this fails if it is closed
      parts.put(
          new ReadOperations.Part(
              new ArrayList<>(journal), List.of(new ReadOperations.Count(number, journal.size()))));
    }
  }
}
