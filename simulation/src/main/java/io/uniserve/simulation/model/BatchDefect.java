package io.uniserve.simulation.model;

import io.uniserve.api.BatchedUpdate;
import java.util.List;
import java.util.function.Function;

/** An intended defect of the way in which the engine takes several updates at once. */
@FunctionalInterface
public interface BatchDefect {
  /** The engine without a defect. */
  BatchDefect NONE = (updates, engine) -> engine.apply(updates);

  /**
   * Takes updates that wait for an actor.
   *
   * @param updates the updates, in their order
   * @param engine the right way to take updates
   * @return the outcomes that the runtime is told
   */
  List<BatchedUpdate.Outcome> take(
      List<BatchedUpdate> updates,
      Function<List<BatchedUpdate>, List<BatchedUpdate.Outcome>> engine);
}
