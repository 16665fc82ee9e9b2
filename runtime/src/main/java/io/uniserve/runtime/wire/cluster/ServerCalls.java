package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Calls to servers as cluster state knows them. A call fails as soon as the state says that the
 * server's life for which it was begun is over. A stopped or unreachable server does not say so
 * itself, and a connection notices late.
 */
public final class ServerCalls {
  private final Environment environment;
  private final Supplier<ClusterState> state;
  private final SortedMap<Long, Watched> underWay = new ConcurrentSkipListMap<>();
  private final AtomicLong last = new AtomicLong();

  /** The servers for which {@link #underWay} was last checked. */
  private volatile SortedMap<String, ServerState> known = ClusterState.EMPTY.servers();

  /**
   * @param environment the environment of this process
   * @param state returns the newest cluster state that this process has heard of
   */
  public ServerCalls(Environment environment, Supplier<ClusterState> state) {
    this.environment = environment;
    this.state = state;
  }

  /**
   * Begins a call, as {@link io.uniserve.kernel.Transport#call} does.
   *
   * @param server a life of a server; if it is over, the call fails at once
   */
  public Call begin(ServerState server, Message request, Deadline deadline, ReplyObserver replies) {
    Watched call = new Watched(last.incrementAndGet(), server, replies);
    underWay.put(call.number, call);
    // The state is looked at only now, since a later change of it finds the call.
    if (over(state.get(), server)) {
      call.giveUp();
    } else {
      call.begun(environment.transport().call(server.address(), request, deadline, call));
    }
    return call;
  }

  /**
   * Sends a request and waits for its one reply.
   *
   * @throws UniserveException as {@link Calls#ask} does; with {@link ErrorCode#UNAVAILABLE} if the
   *     life of the server is over
   */
  public <T extends Message> T ask(
      ServerState server, Message request, Class<T> expected, Deadline deadline) {
    return Calls.ask(
        environment.threads(),
        replies -> begin(server, request, deadline, replies),
        expected,
        deadline,
        request.getClass().getSimpleName() + " to server " + server.name());
  }

  /** Gives up calls to servers whose life is over, since the state has changed. */
  public void changed() {
    ClusterState now = state.get();
    if (now.servers() != known) {
      known = now.servers();
      for (Watched call : underWay.values()) {
        if (over(now, call.server)) {
          call.giveUp();
        }
      }
    }
  }

  /**
   * Returns whether a life of a server is over. A life that this process has not heard of yet is
   * not.
   */
  private static boolean over(ClusterState now, ServerState server) {
    ServerState known = now.servers().get(server.name());
    return known != null
        && (known.incarnation() > server.incarnation()
            || known.incarnation() == server.incarnation() && !known.alive());
  }

  /**
   * One call. Its observer hears of one thing at a time, and of one end, although both the
   * transport and the one who gives the call up may report it.
   */
  private final class Watched implements ReplyObserver, Call {
    private static final int TELLING = 1;
    private static final int GIVEN_UP = 2;
    private static final int ENDED = 4;

    private final long number;
    private final ServerState server;
    private final ReplyObserver replies;
    private final AtomicInteger progress = new AtomicInteger();
    private volatile Call carried = () -> {};
    private volatile boolean cancelled;

    Watched(long number, ServerState server, ReplyObserver replies) {
      this.number = number;
      this.server = server;
      this.replies = replies;
    }

    void begun(Call call) {
      carried = call;
      if (cancelled) {
        call.cancel();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      underWay.remove(number);
      carried.cancel();
    }

    @Override
    public void replied(Message reply) {
      if (progress.compareAndSet(0, TELLING)) {
        replies.replied(reply);
        if (!progress.compareAndSet(TELLING, 0) && end()) {
          tellGivenUp();
        }
      }
    }

    @Override
    public void completed() {
      if (end()) {
        replies.completed();
      }
    }

    @Override
    public void failed(UniserveException failure) {
      if (end()) {
        replies.failed(failure);
      }
    }

    /** Gives the call up, since the server's life is over. */
    void giveUp() {
      int before = progress.getAndUpdate(now -> now == 0 ? ENDED : now | GIVEN_UP);
      if (before == 0) {
        underWay.remove(number);
        tellGivenUp();
      }
    }

    /** Ends the call; returns whether it had not ended yet. */
    private boolean end() {
      boolean first = progress.getAndSet(ENDED) < ENDED;
      if (first) {
        underWay.remove(number);
      }
      return first;
    }

    private void tellGivenUp() {
      cancel();
      replies.failed(
          new UniserveException(
              ErrorCode.UNAVAILABLE, "server " + server.name() + " has failed or was restarted"));
    }
  }
}
