package io.uniserve.runtime.client.cluster;

import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.time.Duration;

/** Changes that the coordinator makes on request. */
record ControlChanges(ClientContext context) {
  /** Asks the coordinator, and waits until this client knows the result. */
  ClusterState make(ControlMessage request, Duration timeout, String what) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    Changed changed = context.controllers().submit(request, Changed.class, deadline);
    return context
        .subscription()
        .await(state -> state.version() >= changed.version(), deadline, what);
  }
}
