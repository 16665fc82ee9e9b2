package io.uniserve.node.http.event;

import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The log of the latest changes of the cluster and failures in it, with listeners for new ones. */
public final class EventLog implements AutoCloseable {
  private static final int KEPT = 500;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Event> latest = new ArrayDeque<>();
  private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
  private final ClusterView.Subscription subscription;
  private ClusterState state;

  public EventLog(UniserveClient client) {
    state = client.state();
    subscription = client.view().onChange(this::changed);
  }

  private void changed(ClusterState after, ControlRecord record) {
    lock.lock();
    try {
      ClusterState before = state;
      state = after;
      if (record instanceof ControlRecord.TransactionCommitted) {
        // Updates are counted. As events they would leave no room for others.
        return;
      }
      keep(new EventText(before, after, Instant.now()).of(record));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds an event that changes nothing of cluster state.
   *
   * @param kind the kind, as of {@link Event}
   * @param text a description of what happened
   * @param why the reason
   */
  public void add(String kind, String text, String why) {
    lock.lock();
    try {
      keep(new Event(state.version(), Instant.now(), kind, text, why));
    } finally {
      lock.unlock();
    }
  }

  private void keep(Event event) {
    latest.addLast(event);
    if (latest.size() > KEPT) {
      latest.removeFirst();
    }
    listeners.forEach(listener -> listener.accept(event));
  }

  /** Returns the latest events, the oldest first. */
  List<Event> latest() {
    lock.lock();
    try {
      return new ArrayList<>(latest);
    } finally {
      lock.unlock();
    }
  }

  /** Passes later events on to a listener, which must not wait. To close the handle ends it. */
  ClusterView.Subscription listen(Consumer<Event> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public void close() {
    subscription.close();
  }
}
