package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.PlanMessage.OpenRun;
import io.uniserve.runtime.wire.PlanMessage.ReleaseStage;
import io.uniserve.runtime.wire.PlanMessage.RunOpened;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The servers on which a run is open, each by a call that stays open. When the client closes it, or
 * dies, the server forgets the run.
 */
final class RunHolds implements AutoCloseable {
  private final PlanCluster cluster;
  private final String run;
  private final Deadline deadline;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Hold> holds = new TreeMap<>();
  private boolean closed;

  RunHolds(PlanCluster cluster, String run, Deadline deadline) {
    this.cluster = cluster;
    this.run = run;
    this.deadline = deadline;
  }

  String run() {
    return run;
  }

  /** A run on one server. */
  static final class Hold implements Transport.ReplyObserver {
    private final ServerState server;
    private final Promise<Boolean> opened;
    private volatile Transport.Call call = () -> {};
    private volatile boolean over;

    private Hold(ServerState server, Promise<Boolean> opened) {
      this.server = server;
      this.opened = opened;
    }

    @Override
    public void replied(Message reply) {
      if (reply instanceof RunOpened) {
        opened.complete(true);
      } else {
        opened.fail(new UniserveException(ErrorCode.INTERNAL, "no run was opened: " + reply));
      }
    }

    @Override
    public void completed() {
      failed(new UniserveException(ErrorCode.UNAVAILABLE, "the server has ended the run"));
    }

    @Override
    public void failed(UniserveException failure) {
      over = true;
      opened.fail(failure);
    }
  }

  /** Begins to open the run on a server, unless it is open or being opened. */
  Hold begin(ServerState server) {
    Hold hold;
    lock.lock();
    try {
      hold = holds.get(server.name());
      if (hold != null && !hold.over) {
        return hold;
      }
      if (closed) {
        throw new UniserveException(ErrorCode.CANCELLED, "the query has ended");
      }
      hold = new Hold(server, new Promise<>(cluster.environment().threads()));
      holds.put(server.name(), hold);
    } finally {
      lock.unlock();
    }
    start(hold);
    return hold;
  }

  private void start(Hold hold) {
    hold.call = cluster.calls().begin(hold.server, new OpenRun(run), deadline, hold);
    lock.lock();
    try {
      if (!closed) {
        return;
      }
    } finally {
      lock.unlock();
    }
    hold.call.cancel();
  }

  /**
   * Waits until the run is open.
   *
   * @throws UniserveException if it cannot be opened there, or is not open any more
   */
  void await(Hold hold) {
    Deadline soon = Deadline.after(cluster.environment().clock(), cluster.limits().patience());
    try {
      hold.opened.await(deadline.earlier(soon), "run " + run + " on server " + hold.server.name());
    } catch (UniserveException e) {
      giveUp(hold);
      throw e;
    }
    if (hold.over) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "run " + run + " is lost on server " + hold.server.name());
    }
  }

  private void giveUp(Hold hold) {
    hold.over = true;
    hold.call.cancel();
  }

  /** Tells all servers that a stage's output is not needed any more. */
  void release(int stage) {
    List<Hold> open;
    lock.lock();
    try {
      open = List.copyOf(holds.values());
    } finally {
      lock.unlock();
    }
    for (Hold hold : open) {
      if (!hold.over) {
        cluster.calls().begin(hold.server, new ReleaseStage(run, stage), deadline, new Heard());
      }
    }
  }

  /** An observer that ignores the answer to a release, since the end of the run makes up for it. */
  private static final class Heard implements Transport.ReplyObserver {
    @Override
    public void replied(Message reply) {
      // nothing depends on it
    }

    @Override
    public void completed() {
      // nothing depends on it
    }

    @Override
    public void failed(UniserveException failure) {
      // data that is not released now is released when the run ends
    }
  }

  /** Ends the run everywhere. */
  @Override
  public void close() {
    List<Hold> open;
    lock.lock();
    try {
      closed = true;
      open = new ArrayList<>(holds.values());
    } finally {
      lock.unlock();
    }
    open.forEach(hold -> hold.call.cancel());
  }
}
