package io.uniserve.runtime.wire.grpc;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A server and a client that talk over real sockets. */
abstract class GrpcFixture {
  /**
   * A reference that keeps the logger, since loggers are forgotten. The failures provoked here
   * would be logged at length.
   */
  private static final Logger NETWORK_LOG = Logger.getLogger("io.grpc");

  static final Address ANY = new Address("127.0.0.1:0");
  static final Address NOBODY = new Address("127.0.0.1:1");

  final SystemClock clock = new SystemClock();
  final ProductionThreads threads = new ProductionThreads();
  final GrpcTransport server = transport(GrpcSettings.DEFAULT);
  final GrpcTransport client = transport(GrpcSettings.DEFAULT);
  final Replies replies = new Replies();

  GrpcTransport transport(GrpcSettings settings) {
    return new GrpcTransport(clock, threads, TestMessage.CODEC, settings);
  }

  @BeforeAll
  static void beQuiet() {
    NETWORK_LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    clock.close();
  }

  Deadline in(long millis) {
    return Deadline.after(clock, Duration.ofMillis(millis));
  }

  Transport.Call call(Address to, Message request) {
    return client.call(to, request, in(20_000), replies);
  }

  static void echo(Message request, Transport.Incoming call) {
    call.reply(request);
    call.complete();
  }
}
