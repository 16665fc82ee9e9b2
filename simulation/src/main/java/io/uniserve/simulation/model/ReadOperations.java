package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import java.util.ArrayList;
import java.util.List;

/** Gives what a set holds, each operation by itself. */
public record ReadOperations() implements Operator.Retrieve<OperationSet, ReadOperations.Part> {

  /**
   * Some of a set.
   *
   * @param operations some
   * @param counts actors and how many operations they have
   */
  public record Part(List<Operation> operations, List<Count> counts) {}

  /**
   * What an actor says of itself.
   *
   * @param actor its number
   * @param operations how many it has
   */
  public record Count(int actor, int operations) {}

  @Override
  public void retrieve(OperationSet set, Output<Part> parts, OperatorContext context) {
    for (Operation operation : set.operations()) {
      parts.put(new Part(List.of(operation), List.of()));
    }
    List<Count> counts = new ArrayList<>();
    set.counts().forEach((actor, count) -> counts.add(new Count(actor, count)));
    parts.put(new Part(List.of(), counts));
  }
}
