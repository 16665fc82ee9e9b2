package io.uniserve.runtime.wire.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport of calls between processes over TCP. Handlers and observers run on the event loops,
 * so a wait in one of them stops other calls, too.
 *
 * <p>A request or reply larger than {@link GrpcSettings#messageBytesMax} is refused with {@link
 * io.uniserve.api.error.ErrorCode#TOO_LARGE}. A call to a peer that cannot be reached or is lost
 * fails with {@link io.uniserve.api.error.ErrorCode#UNAVAILABLE}, and one to a peer of another
 * protocol version with {@link io.uniserve.api.error.ErrorCode#UNSUPPORTED}.
 */
public final class GrpcTransport implements Transport, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcTransport.class);

  private final CallContext context;
  private final Channels channels;
  private final Map<Address, Telling> tellings = new ConcurrentHashMap<>();
  private final Set<GrpcListener> listeners = ConcurrentHashMap.newKeySet();

  /**
   * @param clock the clock of deadlines
   * @param threads make the signals that wait for slow receivers
   * @param codec the codec of the messages that both ends know
   */
  public GrpcTransport(Clock clock, Threads threads, MessageCodec codec, GrpcSettings settings) {
    this(clock, threads, codec, settings, GrpcSecurity.NONE);
  }

  /** Creates a transport between processes that authenticate each other. */
  public GrpcTransport(
      Clock clock,
      Threads threads,
      MessageCodec codec,
      GrpcSettings settings,
      GrpcSecurity security) {
    context = new CallContext(clock, threads, codec, settings, security);
    channels = new Channels(clock, settings, security);
  }

  /**
   * Listens at {@code host:port}; port 0 takes any free one, which {@link GrpcListener#address}
   * returns.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#ALREADY_EXISTS} if the
   *     port is in use; with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if this
   *     machine has no such address
   */
  @Override
  public GrpcListener listen(Address self, Handler handler) {
    GrpcListener listener = GrpcListener.open(self, context, handler, listeners::remove);
    listeners.add(listener);
    return listener;
  }

  /** Begins a call, as {@link Transport} promises. */
  @Override
  public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
    // A handler runs in gRPC's context of its own call, whose end would cancel any call that is
    // begun in it.
    Context former = Context.ROOT.attach();
    try {
      Bytes bytes = context.encode(request);
      OutgoingCall call =
          new OutgoingCall(begin(to, deadline), context.codec(), replies, to.value());
      call.send(bytes, context.security().sign(Protocol.headers()));
      return call;
    } catch (RuntimeException e) {
      replies.failed(UniserveException.of(e));
      return () -> {};
    } finally {
      Context.ROOT.detach(former);
    }
  }

  /**
   * Sends a message without an answer. Messages to one address share one call, which begins with
   * the first and again if it ends.
   */
  @Override
  public void tell(Address to, Message message, Deadline deadline) {
    if (deadline.expired(context.clock())) {
      return;
    }
    Context former = Context.ROOT.attach();
    try {
      tellings
          .computeIfAbsent(to, address -> new Telling(context, () -> channels.to(address)))
          .send(context.encode(message));
    } catch (RuntimeException e) {
      LOG.debug("a message to {} is lost: {}", to, e.toString());
    } finally {
      Context.ROOT.detach(former);
    }
  }

  private ClientCall<Bytes, Bytes> begin(Address to, Deadline deadline) {
    long remaining = deadline.remainingNanos(context.clock());
    return channels
        .to(to)
        .newCall(
            Protocol.CALL, CallOptions.DEFAULT.withDeadlineAfter(remaining, TimeUnit.NANOSECONDS));
  }

  /** Closes all ports and connections. Calls under way fail, and so does every later one. */
  @Override
  public void close() {
    channels.close();
    List.copyOf(listeners).forEach(GrpcListener::close);
  }
}
