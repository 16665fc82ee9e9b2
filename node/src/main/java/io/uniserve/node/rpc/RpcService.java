package io.uniserve.node.rpc;

import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.RpcGateway;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.runtime.wire.tls.TlsContexts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** The serving of a cluster over gRPC, in the protocols of its gateways. */
public final class RpcService implements AutoCloseable {
  private static final int HEADER_BYTES_MAX = 16 << 10;
  private static final long HANDSHAKE_SECONDS_MAX = 10;
  private static final long KEEP_ALIVE_SECONDS_MIN = 10;
  private static final long CLOSE_SECONDS_MAX = 10;

  private final RpcSettings settings;
  private final List<RpcGateway.Services> services = new ArrayList<>();
  private final ExecutorService calls =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("rpc-", 0).factory());
  private final CallerThreads computing = new CallerThreads("rpc-work-");
  private final SlowCalls slow;
  private final Server server;

  /**
   * Begins to serve.
   *
   * @param client the client of the cluster, which checks what the caller of each request may do;
   *     outlives this service
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if the port is in use; with
   *     {@link ErrorCode#UNSUPPORTED} if there is no gateway
   */
  public RpcService(UniserveClient client, List<RpcGateway> gateways, RpcSettings settings) {
    if (gateways.isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "no plug-in of this program speaks a protocol over gRPC");
    }
    this.settings = settings;
    slow = new SlowCalls(settings.silenceSecondsMax());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(settings.host().replaceAll("[\\[\\]]", ""), settings.port()))
            .executor(calls)
            .maxConcurrentCallsPerConnection(settings.callsMax())
            .maxInboundMessageSize(settings.messageBytesMax())
            .maxInboundMetadataSize(HEADER_BYTES_MAX)
            .handshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS)
            .permitKeepAliveTime(KEEP_ALIVE_SECONDS_MIN, TimeUnit.SECONDS)
            .addStreamTracerFactory(new Arrivals.Tracers());
    settings.tls().ifPresent(identity -> builder.sslContext(tls(identity)));
    CallerInterceptor callers = new CallerInterceptor(settings.access(), settings.callsMax(), slow);
    for (RpcGateway gateway : gateways) {
      RpcGateway.Services some = gateway.serve(client, computing);
      services.add(some);
      some.all().forEach(each -> builder.addService(ServerInterceptors.intercept(each, callers)));
    }
    server = builder.build();
    try {
      server.start();
    } catch (IOException e) {
      close();
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "port "
              + settings.port()
              + " on "
              + settings.host()
              + " cannot be listened on; choose another",
          e);
    }
  }

  private static SslContext tls(Identity identity) {
    try {
      return GrpcSslContexts.configure(
              SslContextBuilder.forServer(identity.keyManager()).protocols(TlsContexts.protocols()),
              SslProvider.JDK)
          .build();
    } catch (SSLException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "TLS cannot be set up: " + UniserveException.reason(e), e);
    }
  }

  /** Returns the port that is listened on. */
  public int port() {
    return server.getPort();
  }

  /** Returns the URL where it is served, as clients of Flight SQL are told. */
  public String url() {
    return (settings.tls().isPresent() ? "grpc+tls://" : "grpc://")
        + (settings.host().equals("127.0.0.1") ? "localhost" : settings.host())
        + ":"
        + port();
  }

  /** Closes the service. Calls under way are cancelled, and have ended when it returns. */
  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    slow.close();
    computing.close();
    calls.close();
    services.forEach(each -> each.close().run());
  }
}
