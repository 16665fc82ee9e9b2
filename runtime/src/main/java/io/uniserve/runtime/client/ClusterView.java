package io.uniserve.runtime.client;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The view of a cluster: its state, as this client has heard of it, and what its servers report.
 */
public interface ClusterView {
  /** Returns the newest cluster state that has reached this client. */
  ClusterState state();

  /**
   * Returns the table of this name. It asks further than {@link #state} before a table counts as
   * missing.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} or {@link
   *     ErrorCode#DEADLINE_EXCEEDED} if that cannot be found out at present
   */
  Optional<TableState> table(String name);

  /**
   * Passes every later change of cluster state on to a listener, in order, until the returned
   * handle is closed. The listener must not wait.
   */
  Subscription onChange(ChangeListener listener);

  /**
   * Returns the present status of the servers, by name. A server that does not answer within the
   * timeout is left out.
   */
  List<ServerStatus> statuses(Duration timeout);

  /**
   * Returns the load that the coordinator knows: a sliding mean, at most some seconds old. A
   * coordinator that has just begun knows little.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if this client has no coordinator
   */
  Load load(Duration timeout);

  /** Returns the state of scaling, as the coordinator sees it now. */
  Scaling scaling(Duration timeout);

  /** A listener for changes of cluster state. */
  @FunctionalInterface
  interface ChangeListener {
    /**
     * Takes one change. Must not wait.
     *
     * @param state the state after it
     * @param record the change
     */
    void changed(ClusterState state, ControlRecord record);
  }

  /** A listener's registration. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
