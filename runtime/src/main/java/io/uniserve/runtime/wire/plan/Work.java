package io.uniserve.runtime.wire.plan;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Name;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.List;

/** What a stage does with each input. */
public sealed interface Work {
  /**
   * Maps.
   *
   * @param operator a map
   */
  @Name("Mapping")
  record Mapping(Payload operator) implements Work {}

  /**
   * Scatters.
   *
   * @param operator a scatter
   * @param spread how attributes make parts
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
   * Gathers.
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
   * Retrieves.
   *
   * @param operator a retrieve
   */
  @Name("Retrieving")
  record Retrieving(Payload operator) implements Work {}

  /**
   * Stores an actor of a new table, which an earlier task made; the task has the actor's number.
   *
   * @param table what the new table is to be
   * @param output as part of what it is stored
   */
  @Name("Keeping")
  record Keeping(TableDefinition table, KeptOutput output) implements Work {}

  /**
   * Where the chunks of one scatter task are.
   *
   * @param server who has them, in the life in which they were made
   * @param output of the attempt that succeeded
   */
  record ChunkSource(ServerState server, OutputId output) {}
}
