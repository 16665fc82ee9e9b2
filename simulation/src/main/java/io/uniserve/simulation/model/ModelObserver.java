package io.uniserve.simulation.model;

import java.util.List;

/** Sees from outside the cluster what the actors of one process do. Must not wait. */
public interface ModelObserver {
  /** Looks at nothing. */
  ModelObserver NOBODY =
      new ModelObserver() {
        @Override
        public void opened(ModelActor actor) {}

        @Override
        public void applied(ModelActor actor, List<Operation> operations) {}

        @Override
        public void closed(ModelActor actor) {}
      };

  /** An actor came to be, empty or from files; or has forgotten what is another's now. */
  void opened(ModelActor actor);

  /** An actor has applied operations. */
  void applied(ModelActor actor, List<Operation> operations);

  /** An actor was released. */
  void closed(ModelActor actor);
}
