package io.uniserve.bench.operators;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import java.util.List;
import java.util.Map;

/** The engine of {@link BlockActor}s. */
public final class BlockEngine implements Engine<BlockActor> {
  static final String TABLE = "blocks";

  private static final String NAME = "blocks";

  /** Returns the definition of a table of the given number of actors, with one copy each. */
  static TableDefinition table(int actors) {
    return new TableDefinition(
        TABLE, NAME, new Partitioner.Hash(actors), 1, Durability.NONE, Map.of());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BlockActor create(ActorContext context) {
    return new BlockActor();
  }

  @Override
  public BlockActor deserialize(ActorContext context) {
    return new BlockActor();
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(
        Exchange.SendAway.class,
        Exchange.Count.class,
        Exchange.Tell.class,
        Exchange.Received.class);
  }
}
