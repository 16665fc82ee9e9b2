package io.uniserve.runtime.client.cluster;

import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.tables.ServerStatuses;
import io.uniserve.runtime.wire.ControlMessage.AskScaling;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.LoadMessage.AskLoad;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The view of a cluster by a client that follows the control log. */
record FollowedView(ClientContext context, ChangeListeners listeners) implements ClusterView {
  @Override
  public ClusterState state() {
    return context.state();
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    return listeners.add(listener);
  }

  @Override
  public Optional<TableState> table(String name) {
    return context.table(
        name, Deadline.after(context.environment().clock(), context.settings().patience()));
  }

  @Override
  public List<ServerStatus> statuses(Duration timeout) {
    return new ServerStatuses(context).ask(Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public Load load(Duration timeout) {
    return context
        .controllers()
        .ask(new AskLoad(), Load.class, Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public Scaling scaling(Duration timeout) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    return context.controllers().ask(new AskScaling(), Scaling.class, deadline);
  }
}
