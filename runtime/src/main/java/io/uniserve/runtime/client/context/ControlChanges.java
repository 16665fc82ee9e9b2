package io.uniserve.runtime.client.context;

import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.time.Duration;

/** Changes that the coordinator makes on request. */
public record ControlChanges(ClientContext context) {
  /**
   * Asks the coordinator, and waits until this client knows the result.
   *
   * @param what names the change
   */
  public ClusterState make(ControlMessage request, Duration timeout, String what) {
    return make(request, Deadline.after(context.environment().clock(), timeout), what);
  }

  /**
   * Asks the coordinator, and waits until this client knows the result.
   *
   * @param what names the change
   */
  public ClusterState make(ControlMessage request, Deadline deadline, String what) {
    return known(context.controllers().submit(request, Changed.class, deadline), deadline, what);
  }

  /**
   * Waits until this client knows a change.
   *
   * @param what names the change
   */
  public ClusterState known(Changed changed, Deadline deadline, String what) {
    return context
        .subscription()
        .await(state -> state.version() >= changed.version(), deadline, what);
  }
}
