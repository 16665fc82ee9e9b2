package io.uniserve.bench.overhead;

import io.grpc.CallOptions;
import io.grpc.KnownLength;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Executors;

/**
 * One unary method over plain gRPC, bytes in and bytes out, with the defaults that suit blocking
 * code: a virtual thread for each call at the server, the caller's own thread at the client.
 */
final class BareGrpc {

  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodType.UNARY)
          .setFullMethodName("uniserve.bench.Bare/Echo")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private BareGrpc() {}

  /**
   * Starts a server on a free port of the loopback device. The first four bytes of a request say
   * how long the answer is to be.
   */
  static Server serve() throws IOException {
    return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
        .executor(Executors.newVirtualThreadPerTaskExecutor())
        .addService(
            ServerServiceDefinition.builder("uniserve.bench.Bare")
                .addMethod(
                    ECHO,
                    ServerCalls.asyncUnaryCall(
                        (request, answers) -> {
                          answers.onNext(Arrays.copyOf(request, ByteBuffer.wrap(request).getInt()));
                          answers.onCompleted();
                        }))
                .build())
        .build()
        .start();
  }

  static ManagedChannel connect(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  static byte[] call(ManagedChannel channel, byte[] request) {
    return ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, request);
  }

  /** Returns a request of the given length for an answer of the given length. */
  static byte[] request(int length, int answerLength) {
    return ByteBuffer.allocate(length).putInt(answerLength).array();
  }

  /** A marshaller that passes bytes unchanged. */
  private static final class Bytes implements Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        if (stream instanceof KnownLength) {
          return stream.readNBytes(stream.available());
        }
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
