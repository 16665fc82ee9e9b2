package io.uniserve.runtime.wire.grpc;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A TCP port at which a process takes requests. */
public final class GrpcListener implements Transport.Registration {
  private static final int HEADER_BYTES_MAX = 8 << 10;

  private final Server server;
  private final Address address;
  private final Consumer<GrpcListener> whenClosed;

  private GrpcListener(Server server, Address address, Consumer<GrpcListener> whenClosed) {
    this.server = server;
    this.address = address;
    this.whenClosed = whenClosed;
  }

  static GrpcListener open(
      Address self,
      CallContext context,
      Transport.Handler handler,
      Consumer<GrpcListener> whenClosed) {
    HostPort wanted = HostPort.of(self);
    Server server = build(wanted, context, handler);
    try {
      server.start();
    } catch (IOException e) {
      throw cannotListen(self, e);
    }
    return new GrpcListener(server, wanted.withPort(server.getPort()).toAddress(), whenClosed);
  }

  private static Server build(HostPort at, CallContext context, Transport.Handler handler) {
    InetSocketAddress socket = new InetSocketAddress(at.host(), at.port());
    if (socket.isUnresolved()) {
      throw UniserveException.invalid("cannot listen at '" + at.host() + "': unknown host");
    }
    GrpcSettings settings = context.settings();
    NettyServerBuilder builder = NettyServerBuilder.forAddress(socket);
    context.security().asServer().ifPresent(builder::sslContext);
    return builder
        .directExecutor()
        .maxConcurrentCallsPerConnection(settings.callsPerConnectionMax())
        .handshakeTimeout(settings.handshakeTimeout().toNanos(), TimeUnit.NANOSECONDS)
        .maxInboundMessageSize(settings.messageBytesMax())
        .maxInboundMetadataSize(HEADER_BYTES_MAX)
        .permitKeepAliveTime(settings.keepAlive().toNanos() / 2, TimeUnit.NANOSECONDS)
        .permitKeepAliveWithoutCalls(true)
        .addService(
            ServerServiceDefinition.builder(Protocol.SERVICE)
                .addMethod(Protocol.CALL, new Requests(context, handler))
                .addMethod(Protocol.TELL, new ToldMessages(context, handler))
                .build())
        .build();
  }

  private static UniserveException cannotListen(Address self, IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException && String.valueOf(cause.getMessage()).contains("in use")) {
        return new UniserveException(
            ErrorCode.ALREADY_EXISTS, "cannot listen at " + self + ": the port is in use", failure);
      }
    }
    return new UniserveException(
        ErrorCode.INVALID_ARGUMENT, "cannot listen at " + self + ": " + failure, failure);
  }

  /** Returns the address where it listens, with the port that was found if it was given port 0. */
  public Address address() {
    return address;
  }

  /**
   * Closes the port and all connections to it; calls under way fail with {@link
   * ErrorCode#UNAVAILABLE} at their callers. Returns once the port is free. Not to be called from a
   * handler or observer.
   */
  @Override
  public void close() {
    server.shutdownNow();
    whenClosed.accept(this);
    try {
      server.awaitTermination();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
