package io.uniserve.bench.overhead;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import java.util.List;

/** The engine of {@link EchoActor}s. */
public final class EchoEngine implements Engine<EchoActor> {

  public static final String NAME = "echo";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EchoActor create(ActorContext context) {
    return new EchoActor();
  }

  @Override
  public EchoActor deserialize(ActorContext context) {
    return new EchoActor();
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Echo.class, Echo.Value.class);
  }
}
