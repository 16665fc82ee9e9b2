package io.uniserve.simulation.model;

import java.util.List;

/** An observer of the actors of one process, outside the cluster. Must not wait. */
public interface ModelObserver {
  /** The observer that ignores everything. */
  ModelObserver NOBODY =
      new ModelObserver() {
        @Override
        public void opened(ModelActor actor) {}

        @Override
        public void applied(ModelActor actor, List<Operation> operations) {}

        @Override
        public void closed(ModelActor actor) {}
      };

  /**
   * Notes that an actor was created, empty or from files, or has dropped keys that are another's
   * now.
   */
  void opened(ModelActor actor);

  /** Notes that an actor has applied operations. */
  void applied(ModelActor actor, List<Operation> operations);

  /** Notes that an update failed, before or after it took effect. */
  default void failed(List<Operation> operations) {}

  /** Notes that an actor was released. */
  void closed(ModelActor actor);
}
