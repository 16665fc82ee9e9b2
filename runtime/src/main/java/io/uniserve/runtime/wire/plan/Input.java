package io.uniserve.runtime.wire.plan;

import io.uniserve.api.ActorId;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.util.List;
import java.util.Optional;

/** The input of one task. */
public sealed interface Input {

  /**
   * A readable copy of an actor.
   *
   * @param actor the actor
   * @param generation the generation of its keys
   * @param point the point in its table's history, if the read is of one point
   */
  @Name("OfActor")
  record OfActor(ActorId actor, int generation, Optional<ReadPoint> point) implements Input {}

  /**
   * The output of an earlier task on the same server.
   *
   * @param output its name
   * @param firstNumber the first number of its datasets, which are numbered without gaps within
   *     their stage
   */
  @Name("OfOutput")
  record OfOutput(OutputId output, int firstNumber) implements Input {}

  /**
   * Scattered chunks of one part.
   *
   * @param part the part
   * @param anchor the actor that they are gathered at, if any
   * @param from the indexes in {@link Work.Gathering#from} of the sources with chunks of this part
   */
  @Name("OfChunks")
  record OfChunks(int part, Optional<OfActor> anchor, List<Integer> from) implements Input {
    /** Copies the list. */
    public OfChunks {
      from = List.copyOf(from);
    }
  }
}
