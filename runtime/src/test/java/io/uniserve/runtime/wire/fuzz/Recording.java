package io.uniserve.runtime.wire.fuzz;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.grpc.GrpcSettings;
import io.uniserve.runtime.wire.grpc.GrpcTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The bytes that callers write to their connections when all goes well. */
final class Recording {
  private static final Transport.Handler ECHO =
      (request, call) -> {
        call.reply(request);
        call.complete();
      };

  private Recording() {}

  /** Returns the bytes of one connection for each message, which is first told and then called. */
  static List<byte[]> of(WireCodec codec, Clock clock, List<Message> messages) throws Exception {
    List<byte[]> recorded = new ArrayList<>();
    try (GrpcTransport server =
        new GrpcTransport(clock, new ProductionThreads(), codec, GrpcSettings.DEFAULT)) {
      int port = port(server.listen(new Address("127.0.0.1:0"), ECHO).address());
      for (Message message : messages) {
        recorded.add(record(codec, clock, port, message));
      }
    }
    return recorded;
  }

  private static int port(Address address) {
    return Integer.parseInt(address.value().substring(address.value().indexOf(':') + 1));
  }

  private static byte[] record(WireCodec codec, Clock clock, int port, Message message)
      throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (ServerSocket between = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Thread relay = Thread.ofVirtual().start(() -> relay(between, port, written));
      try (GrpcTransport client =
          new GrpcTransport(clock, new ProductionThreads(), codec, GrpcSettings.DEFAULT)) {
        Ended ended = new Ended(new CountDownLatch(1));
        Address to = new Address("127.0.0.1:" + between.getLocalPort());
        Deadline deadline = Deadline.after(clock, Duration.ofSeconds(20));
        client.tell(to, message, deadline);
        client.call(to, message, deadline, ended);
        ended.await();
      }
      relay.join();
    }
    return written.toByteArray();
  }

  private static void relay(ServerSocket between, int port, OutputStream written) {
    try (Socket caller = between.accept();
        Socket server = new Socket("127.0.0.1", port)) {
      Thread.ofVirtual().start(() -> copy(server, caller, OutputStream.nullOutputStream()));
      copy(caller, server, written);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void copy(Socket from, Socket to, OutputStream copy) {
    byte[] buffer = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        copy.write(buffer, 0, read);
        to.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException e) {
      // one of the messages has ended the connection
    }
  }

  private record Ended(CountDownLatch latch) implements Transport.ReplyObserver {
    @Override
    public void replied(Message reply) {
      // the end follows
    }

    @Override
    public void completed() {
      latch.countDown();
    }

    @Override
    public void failed(UniserveException failure) {
      throw failure;
    }

    void await() throws InterruptedException {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("the call to be recorded did not end");
      }
    }
  }
}
