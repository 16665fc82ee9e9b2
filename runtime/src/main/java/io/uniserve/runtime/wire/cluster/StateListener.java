package io.uniserve.runtime.wire.cluster;

/** A listener for changes of cluster state, in order. */
@FunctionalInterface
public interface StateListener {
  /**
   * Takes one change. Must not wait.
   *
   * @param state the state after it
   * @param record the change
   */
  void changed(ClusterState state, ControlRecord record);

  /**
   * Takes any number of changes whose records were not kept. Must not wait.
   *
   * @param state the state after them
   */
  default void reloaded(ClusterState state) {}
}
