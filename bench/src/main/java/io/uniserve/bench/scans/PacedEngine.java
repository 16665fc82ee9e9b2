package io.uniserve.bench.scans;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Usage;
import java.nio.file.Path;
import java.util.List;

/**
 * An engine of partitions that are read at a fixed rate, as from a disk of their own. It stores
 * nothing: records are made as they are read.
 */
public final class PacedEngine implements Engine<PacedEngine.Paced> {
  static final String NAME = "paced";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Paced create(ActorContext context) {
    return new Paced();
  }

  @Override
  public Paced deserialize(ActorContext context) {
    return new Paced();
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(ReadPaced.class, ReadHeld.class, ReadPoint.class, ReadPoint.Done.class);
  }

  /** One partition. */
  public static final class Paced implements Actor {
    @Override
    public void serialize(Path directory) {
      // There is no data: the empty directory is complete.
    }

    @Override
    public Usage usage() {
      return Usage.NONE;
    }

    @Override
    public void close() {
      // The partition holds nothing that must be closed.
    }
  }
}
