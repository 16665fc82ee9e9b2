package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;
import java.util.SortedMap;
import java.util.TreeMap;

/** A retrieve of the marks of an actor. */
public record ReadMarks() implements Operator.Retrieve<ModelActor, ReadMarks.Held> {

  /**
   * The marks of one actor.
   *
   * @param actor its number
   * @param marks its marks
   */
  public record Held(int actor, Marks marks) {}

  /** Returns a plan for the marks of all actors of a table, by number. */
  public static Plan<SortedMap<Integer, Marks>> of(String table) {
    return Plan.query(
        table,
        new ReadMarks(),
        Operator.Combine.<Held, SortedMap<Integer, Marks>>fold(
            new TreeMap<>(),
            (all, held) -> {
              SortedMap<Integer, Marks> more = new TreeMap<>(all);
              more.put(held.actor(), held.marks());
              return more;
            }));
  }

  @Override
  public void retrieve(ModelActor actor, Output<Held> held, OperatorContext context) {
    held.put(new Held(actor.context().actor(), actor.marks()));
  }
}
