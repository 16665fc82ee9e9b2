package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.runtime.wire.grpc.TestMessage.Text;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages of a process with several roles, to itself and to others. */
class RoutingTransportTest extends GrpcFixture {
  private static final List<Text> TEXTS =
      IntStream.range(0, 1_000).mapToObj(i -> new Text("message " + i)).toList();

  private final RoutingTransport routing =
      new RoutingTransport(new InProcessNetwork(clock).attach(new Address("process")), server);
  private final BlockingQueue<Message> heardHere = new LinkedBlockingQueue<>();
  private final BlockingQueue<Message> heardThere = new LinkedBlockingQueue<>();

  private void tell(Address to, Text text) {
    routing.tell(to, text, in(20_000));
  }

  private static Stream<Message> next(BlockingQueue<Message> heard, int count) {
    return IntStream.range(0, count).mapToObj(i -> next(heard));
  }

  private static Message next(BlockingQueue<Message> heard) {
    try {
      Message message = heard.poll(20, TimeUnit.SECONDS);
      assertThat(message).as("what was told is heard").isNotNull();
      return message;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatIsHereIsToldDirectlyAndAnythingElseOverTheNetworkEachInOrder() {
    Address here = routing.listen(ANY, (message, call) -> heardHere.add(message)).address();
    Address there = client.listen(ANY, (message, call) -> heardThere.add(message)).address();
    for (Text text : TEXTS) {
      tell(here, text);
      tell(there, text);
    }
    List<Message> inside = next(heardHere, TEXTS.size()).toList();
    assertThat(inside).isEqualTo(TEXTS);
    assertThat(inside.getFirst()).isSameAs(TEXTS.getFirst());
    List<Message> outside = next(heardThere, TEXTS.size()).toList();
    assertThat(outside).isEqualTo(TEXTS);
    assertThat(outside.getFirst()).isNotSameAs(TEXTS.getFirst());
  }

  /** The sender goes on, although nobody, or another process, listens at the address then. */
  @Test
  void whatIsNotHereAnyMoreIsToldOverTheNetwork() {
    RoutingTransport.Listening listening =
        routing.listen(ANY, (message, call) -> heardHere.add(message));
    Address address = listening.address();
    tell(address, new Text("here"));
    assertThat(next(heardHere)).isEqualTo(new Text("here"));
    listening.close();
    tell(address, new Text("nowhere"));
    GrpcListener other =
        whenFree(() -> client.listen(address, (message, call) -> heardThere.add(message)));
    tellUntilHeard(address, new Text("there"));
    other.close();
    whenFree(() -> routing.listen(address, (message, call) -> heardHere.add(message)));
    tell(address, new Text("here again"));
    assertThat(next(heardHere)).isEqualTo(new Text("here again"));
  }

  /**
   * Listens once the port is free, since somebody else's connection may have begun there meanwhile.
   */
  private static <T> T whenFree(Supplier<T> listen) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (true) {
      try {
        return listen.get();
      } catch (UniserveException e) {
        if (e.code() != ErrorCode.ALREADY_EXISTS || System.nanoTime() > end) {
          throw e;
        }
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  /** Sends over the network repeatedly, as senders that expect losses do. */
  private void tellUntilHeard(Address to, Text text) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!heardThere.contains(text) && System.nanoTime() < end) {
      tell(to, text);
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(heardThere).contains(text).doesNotContain(new Text("here"));
  }

  @Test
  void whoeverIsHereIsReachedFromOutsideToo() {
    Address here = routing.listen(ANY, (message, call) -> heardHere.add(message)).address();
    client.tell(here, TEXTS.getFirst(), in(20_000));
    assertThat(next(heardHere)).isEqualTo(TEXTS.getFirst());
  }
}
