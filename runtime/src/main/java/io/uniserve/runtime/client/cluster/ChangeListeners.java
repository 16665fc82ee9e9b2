package io.uniserve.runtime.client.cluster;

import io.uniserve.runtime.client.ClusterView.ChangeListener;
import io.uniserve.runtime.client.ClusterView.Subscription;
import io.uniserve.runtime.client.context.StateChanges;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.StateListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a client for changes of cluster state. */
final class ChangeListeners implements StateListener {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeListeners.class);

  private final StateChanges changes;
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();

  /** Tells also those who wait for a change. */
  ChangeListeners(StateChanges changes) {
    this.changes = changes;
  }

  /** Passes every later change on to a listener, until the returned handle is closed. */
  Subscription add(ChangeListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public void changed(ClusterState state, ControlRecord record) {
    changes.tell();
    for (ChangeListener listener : listeners) {
      try {
        listener.changed(state, record);
      } catch (RuntimeException e) {
        LOG.error("a listener failed at version {}", state.version(), e);
      }
    }
  }

  @Override
  public void reloaded(ClusterState state) {
    changes.tell();
  }
}
