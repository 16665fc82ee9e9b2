package io.uniserve.bench.keyvalue;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.UpdateFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** An engine of keys and values on SQLite, at every consistency level. */
public final class KeyValueEngine implements Engine<KeyValueActor> {
  /** The name by which tables choose the engine. */
  public static final String NAME = "key-value";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public KeyValueActor create(ActorContext context) {
    return KeyValueActor.in(context.directory());
  }

  @Override
  public KeyValueActor deserialize(ActorContext context) throws IOException {
    if (!Files.exists(KeyValueActor.file(context.directory()))) {
      throw new IOException(KeyValueActor.file(context.directory()) + " is missing");
    }
    return KeyValueActor.in(context.directory());
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public boolean preparesTogether(UpdateFunction.Serializable<?, ?> function) {
    return true;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Entry.class, Put.class, CountPuts.class);
  }
}
