package io.uniserve.runtime.wire.plan;

import io.uniserve.api.ActorId;
import io.uniserve.api.codec.Name;
import java.util.List;
import java.util.Optional;

/** What one task reads. */
public sealed interface Input {

  /**
   * A readable copy of an actor.
   *
   * @param actor which
   * @param generation of its keys
   * @param version of its table, if reads of that table are of one version
   */
  @Name("OfActor")
  record OfActor(ActorId actor, int generation, Optional<Long> version) implements Input {}

  /**
   * What an earlier task made on the same server.
   *
   * @param output which
   * @param firstNumber of its datasets, which are numbered without gaps within their stage
   */
  @Name("OfOutput")
  record OfOutput(OutputId output, int firstNumber) implements Input {}

  /**
   * Scattered chunks of one part.
   *
   * @param part the part
   * @param anchor the actor that they meet, if any
   * @param from which of {@link Work.Gathering#from} have chunks of this part
   */
  @Name("OfChunks")
  record OfChunks(int part, Optional<OfActor> anchor, List<Integer> from) implements Input {
    /** Copies the list. */
    public OfChunks {
      from = List.copyOf(from);
    }
  }
}
