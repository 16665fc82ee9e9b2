package io.uniserve.node.rpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes of one call that have arrived, whole messages or not. */
final class Arrivals extends ServerStreamTracer {
  private static final Context.Key<Arrivals> OF_CALL = Context.key("arrivals");

  private final AtomicLong bytes = new AtomicLong();

  /** Counts for each call. */
  static final class Tracers extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      return new Arrivals();
    }
  }

  /** Returns those of the call that this thread begins. */
  static Arrivals current() {
    return OF_CALL.get();
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(OF_CALL, this);
  }

  @Override
  public void inboundWireSize(long more) {
    bytes.addAndGet(more);
  }

  long bytes() {
    return bytes.get();
  }
}
