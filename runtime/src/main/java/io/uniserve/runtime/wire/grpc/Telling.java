package io.uniserve.runtime.wire.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The sender's end of the unanswered messages from one process to another. They go through one long
 * call. When that ends, the next message begins another; messages under way are lost. Safe for use
 * by many threads.
 */
final class Telling {
  /** The number of bytes that may wait while the receiver is behind. Further messages are lost. */
  private static final int WAITING_BYTES_MAX = 16 << 20;

  /** The most memory that a waiting message takes beside its own bytes. */
  private static final int EACH_BYTES = 2 << 10;

  private final CallContext context;
  private final Supplier<ManagedChannel> channel;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null while there is none. */
  private ClientCall<Bytes, Bytes> call;

  /** The bytes sent since the receiver was last seen to keep up. */
  private long waitingBytes;

  Telling(CallContext context, Supplier<ManagedChannel> channel) {
    this.context = context;
    this.channel = channel;
  }

  void send(Bytes message) {
    lock.lock();
    try {
      if (call == null) {
        begin();
      }
      if (call == null) {
        return; // the call was refused at once
      }
      waitingBytes = call.isReady() ? 0 : waitingBytes + message.length() + EACH_BYTES;
      if (waitingBytes <= WAITING_BYTES_MAX) {
        call.sendMessage(message);
      }
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    waitingBytes = 0;
    call = channel.get().newCall(Protocol.TELL, CallOptions.DEFAULT);
    call.start(new End(call), context.security().sign(Protocol.headers()));
  }

  private void ended(ClientCall<Bytes, Bytes> which) {
    lock.lock();
    try {
      if (call == which) {
        call = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The listener for the end of a call. */
  private final class End extends ClientCall.Listener<Bytes> {
    private final ClientCall<Bytes, Bytes> which;

    End(ClientCall<Bytes, Bytes> which) {
      this.which = which;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ended(which);
    }
  }
}
