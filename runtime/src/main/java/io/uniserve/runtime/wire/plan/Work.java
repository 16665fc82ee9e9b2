package io.uniserve.runtime.wire.plan;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Payload;
import java.util.List;

/** The work of a stage on each input. */
public sealed interface Work {
  /**
   * A map.
   *
   * @param operator a map
   */
  @Name("Mapping")
  record Mapping(Payload operator) implements Work {}

  /**
   * A scatter.
   *
   * @param operator a scatter
   * @param spread assigns attributes to parts
   * @param parts the only parts whose chunks are kept, ascending; empty for all
   */
  @Name("Scattering")
  record Scattering(Payload operator, Spread spread, List<Integer> parts) implements Work {
    /** Copies the list. */
    public Scattering {
      parts = List.copyOf(parts);
    }
  }

  /**
   * A gather.
   *
   * @param operator a gather
   * @param from the outputs of all scatter tasks that feed it
   */
  @Name("Gathering")
  record Gathering(Payload operator, List<ChunkSource> from) implements Work {
    /** Copies the list. */
    public Gathering {
      from = List.copyOf(from);
    }
  }

  /**
   * A retrieve.
   *
   * @param operator a retrieve
   */
  @Name("Retrieving")
  record Retrieving(Payload operator) implements Work {}

  /**
   * The storing of an actor of a new table, which an earlier task made; the task has the actor's
   * number.
   *
   * @param table the definition of the new table
   * @param output the stored output that the actor becomes a part of
   */
  @Name("Keeping")
  record Keeping(TableDefinition table, KeptOutput output) implements Work {}

  /**
   * The place of one scatter task's chunks.
   *
   * @param server that has them, in the life in which they were made
   * @param output the output of the attempt that succeeded
   */
  record ChunkSource(ServerState server, OutputId output) {}
}
