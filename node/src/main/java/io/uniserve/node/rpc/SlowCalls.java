package io.uniserve.node.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The watch over calls that are held open by sending nothing, or a byte now and then, which it
 * ends. Only the time counts during which the server waits for more of the call. A client that
 * computes rows while they are sent may pause between two messages, so this asks for less than HTTP
 * does of bodies.
 */
final class SlowCalls implements AutoCloseable {
  /** The fewest bytes that a call has to bring in each stretch of waiting. */
  static final long BYTES_MIN = 4 << 10;

  private final Set<Watched<?, ?>> open = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("rpc-slow").factory());

  private final long secondsMax;

  /**
   * @param secondsMax the length of a stretch
   */
  SlowCalls(long secondsMax) {
    this.secondsMax = secondsMax;
    clock.scheduleAtFixedRate(() -> open.forEach(Watched::look), 1, 1, TimeUnit.SECONDS);
  }

  /** Watches a call, on the thread that begins it, until it ends. */
  <Q, R> Watched<Q, R> watch(ServerCall<Q, R> call) {
    Watched<Q, R> watched = new Watched<>(call, Arrivals.current());
    open.add(watched);
    return watched;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  /** A call that is watched. */
  final class Watched<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final Arrivals arrivals;

    /** The number of messages that the server has asked for and not received. */
    private final AtomicLong awaited = new AtomicLong();

    private final AtomicBoolean tooSlow = new AtomicBoolean();
    private long seconds;
    private long bytesBefore;

    private Watched(ServerCall<Q, R> call, Arrivals arrivals) {
      super(call);
      this.arrivals = arrivals;
    }

    @Override
    public void request(int messages) {
      awaited.addAndGet(messages);
      super.request(messages);
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (!tooSlow.get()) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public void sendMessage(R message) {
      if (!tooSlow.get()) {
        super.sendMessage(message);
      }
    }

    /** Closes the call, unless it was ended here before. */
    @Override
    public void close(Status status, Metadata trailers) {
      if (!tooSlow.get()) {
        super.close(status, trailers);
      }
    }

    /** Checks the call; called once a second. */
    private void look() {
      if (awaited.get() > 0 && ++seconds >= secondsMax) {
        long bytes = arrivals.bytes();
        if (bytes - bytesBefore < BYTES_MIN && open.remove(this)) {
          tooSlow.set(true);
          super.close(
              Status.DEADLINE_EXCEEDED.withDescription(
                  "the call sends less than " + BYTES_MIN + " bytes in " + secondsMax + " s"),
              new Metadata());
        }
        seconds = 0;
        bytesBefore = bytes;
      }
    }

    /** Stops watching the call. */
    void end() {
      open.remove(this);
    }

    /** Returns a listener for this call's messages, in place of another. */
    ServerCall.Listener<Q> listener(ServerCall.Listener<Q> of) {
      return new SimpleForwardingServerCallListener<>(of) {
        @Override
        public void onMessage(Q message) {
          awaited.decrementAndGet();
          super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
          end();
          super.onHalfClose();
        }

        @Override
        public void onCancel() {
          end();
          super.onCancel();
        }

        /**
         * Ends the call. The service, which may wait for more of it, is told that the call has
         * ended.
         */
        @Override
        public void onComplete() {
          end();
          if (tooSlow.get()) {
            super.onCancel();
          } else {
            super.onComplete();
          }
        }
      };
    }
  }
}
