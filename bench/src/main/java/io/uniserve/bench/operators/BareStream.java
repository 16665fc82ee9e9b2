package io.uniserve.bench.operators;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * One block of bytes, sent over and over in one call of plain gRPC, all on event loops. As in the
 * runtime's transport, a block is copied once by the sender and once by the receiver.
 */
final class BareStream {
  private static final MethodDescriptor<byte[], byte[]> BLOCKS =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodType.SERVER_STREAMING)
          .setFullMethodName("uniserve.bench.Bare/Blocks")
          .setRequestMarshaller(new Whole())
          .setResponseMarshaller(new Whole())
          .build();

  private BareStream() {}

  /**
   * Starts a server on a free port of the loopback device. It sends as many blocks as a request
   * says.
   */
  static Server serve(byte[] block) throws IOException {
    return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
        .directExecutor()
        .addService(
            ServerServiceDefinition.builder("uniserve.bench.Bare")
                .addMethod(
                    BLOCKS,
                    ServerCalls.asyncServerStreamingCall(
                        (request, answers) ->
                            new Sending(
                                    block,
                                    ByteBuffer.wrap(request).getLong(),
                                    (ServerCallStreamObserver<byte[]>) answers)
                                .begin()))
                .build())
        .build()
        .start();
  }

  static ManagedChannel connect(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port)
        .usePlaintext()
        .directExecutor()
        .build();
  }

  /** Asks for the given number of blocks, waits for all of them and returns the number of bytes. */
  static long receive(ManagedChannel channel, long blocks) {
    ClientCall<byte[], byte[]> call = channel.newCall(BLOCKS, CallOptions.DEFAULT);
    Receiving receiving = new Receiving(call);
    call.start(receiving, new Metadata());
    call.request(1);
    call.sendMessage(ByteBuffer.allocate(Long.BYTES).putLong(blocks).array());
    call.halfClose();
    return receiving.bytes.join();
  }

  /** A sender that sends while the receiver keeps up. */
  private static final class Sending {
    private final byte[] block;
    private final ServerCallStreamObserver<byte[]> answers;
    private long left;

    Sending(byte[] block, long blocks, ServerCallStreamObserver<byte[]> answers) {
      this.block = block;
      this.left = blocks;
      this.answers = answers;
    }

    void begin() {
      answers.setOnReadyHandler(this::send);
      send();
    }

    private void send() {
      while (left > 0 && answers.isReady()) {
        answers.onNext(block);
        if (--left == 0) {
          answers.onCompleted();
        }
      }
    }
  }

  private static final class Receiving extends ClientCall.Listener<byte[]> {
    private final ClientCall<byte[], byte[]> call;
    private final CompletableFuture<Long> bytes = new CompletableFuture<>();
    private long received;

    Receiving(ClientCall<byte[], byte[]> call) {
      this.call = call;
    }

    @Override
    public void onMessage(byte[] block) {
      received += block.length;
      call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (status.isOk()) {
        bytes.complete(received);
      } else {
        bytes.completeExceptionally(status.asRuntimeException());
      }
    }
  }

  /** A marshaller that passes bytes unchanged, copied once at either end. */
  private static final class Whole implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new WholeStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        byte[] bytes = new byte[stream.available()];
        if (stream.readNBytes(bytes, 0, bytes.length) < bytes.length) {
          throw new IOException("a block of " + bytes.length + " bytes is cut off");
        }
        return bytes;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class WholeStream extends ByteArrayInputStream
      implements KnownLength, Drainable {
    WholeStream(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int length = count - pos;
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
