package io.uniserve.runtime.wire.cluster;

/** Hears of changes of cluster state, in order. */
@FunctionalInterface
public interface StateListener {
  /**
   * One change. Must not wait.
   *
   * @param state the state after it
   * @param record what changed
   */
  void changed(ClusterState state, ControlRecord record);

  /**
   * Any number of changes, of which nobody has kept the records any more. Must not wait.
   *
   * @param state the state after them
   */
  default void reloaded(ClusterState state) {}
}
