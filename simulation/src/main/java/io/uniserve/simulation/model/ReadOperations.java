package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * A retrieve of the contents of a set in several parts: each operation by itself, as long as there
 * are few. A value waits for room on its link, and of thousands the last would come too late.
 */
public record ReadOperations() implements Operator.Retrieve<OperationSet, ReadOperations.Part> {

  private static final int PARTS = 50;

  /**
   * A part of a set.
   *
   * @param operations some of them
   * @param counts actors and how many operations they have
   */
  public record Part(List<Operation> operations, List<Count> counts) {}

  /**
   * The number of operations that an actor says it has.
   *
   * @param actor its number
   * @param operations the number of operations that it has
   */
  public record Count(int actor, int operations) {}

  @Override
  public void retrieve(OperationSet set, Output<Part> parts, OperatorContext context) {
    List<Operation> operations = set.operations();
    int size = Math.ceilDiv(Math.max(1, operations.size()), PARTS);
    for (int from = 0; from < operations.size(); from += size) {
      int to = Math.min(operations.size(), from + size);
      parts.put(new Part(List.copyOf(operations.subList(from, to)), List.of()));
    }
    List<Count> counts = new ArrayList<>();
    set.counts().forEach((actor, count) -> counts.add(new Count(actor, count)));
    parts.put(new Part(List.of(), counts));
  }
}
