package io.uniserve.runtime.still;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import java.util.List;
import java.util.Optional;

/**
 * An engine that has tables, but creates no actors.
 *
 * @param splits true if their actors could be split and merged
 */
public record StillEngine(boolean splits) implements Engine<Actor> {
  public static final String NAME = "still";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean merges() {
    return splits;
  }

  @Override
  public Actor create(ActorContext context) {
    throw new UnsupportedOperationException("no actors");
  }

  @Override
  public Actor deserialize(ActorContext context) {
    throw new UnsupportedOperationException("no actors");
  }

  /** Returns a redefinition, as if its actors could change their schemas. */
  @Override
  public Optional<Redefinition> redefinition() {
    return Optional.of(
        new Redefinition() {
          @Override
          public long revision(TableDefinition definition) {
            throw new UnsupportedOperationException("no actors");
          }

          @Override
          public UpdateFunction<?, ?> become(TableDefinition definition) {
            throw new UnsupportedOperationException("no actors");
          }

          @Override
          public Plan<Found> look(TableDefinition definition) {
            throw new UnsupportedOperationException("no actors");
          }
        });
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of();
  }
}
