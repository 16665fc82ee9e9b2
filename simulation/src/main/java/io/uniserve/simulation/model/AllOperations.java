package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A combine that sorts operations by the actors that they came from; there must be as many of each
 * as the actor said.
 *
 * @param shapes the partitioner under which operations belong to actors, by the existing actors
 */
public record AllOperations(Function<Collection<Integer>, Partitioner> shapes)
    implements Operator.Combine<ReadOperations.Part, SortedMap<Integer, List<Operation>>> {

  @Override
  public Operator.Combiner<ReadOperations.Part, SortedMap<Integer, List<Operation>>> begin() {
    return new Combiner(shapes);
  }

  private static final class Combiner
      implements Operator.Combiner<ReadOperations.Part, SortedMap<Integer, List<Operation>>> {
    private final Function<Collection<Integer>, Partitioner> shapes;
    private final OperationSet all = new OperationSet();

    Combiner(Function<Collection<Integer>, Partitioner> shapes) {
      this.shapes = shapes;
    }

    @Override
    public void add(int dataset, ReadOperations.Part part) {
      part.operations().forEach(all::add);
      part.counts().forEach(count -> all.count(count.actor(), count.operations()));
    }

    @Override
    public SortedMap<Integer, List<Operation>> result() {
      SortedMap<Integer, List<Operation>> byActor = new TreeMap<>();
      all.counts().keySet().forEach(actor -> byActor.put(actor, new ArrayList<>()));
      Partitioner partitioner = shapes.apply(all.counts().keySet());
      all.operations()
          .forEach(
              operation ->
                  byActor
                      .computeIfAbsent(
                          partitioner.actorOf(operation.partitionKey()), none -> new ArrayList<>())
                      .add(operation));
      byActor.forEach(
          (actor, operations) ->
              Invariant.EXACT_ANSWER.require(
                  Integer.valueOf(operations.size()).equals(all.counts().get(actor)),
                  () ->
                      "of actor "
                          + actor
                          + " there are "
                          + operations
                          + ", of "
                          + all.counts().get(actor)));
      return byActor;
    }
  }
}
