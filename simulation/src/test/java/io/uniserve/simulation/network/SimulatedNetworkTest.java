package io.uniserve.simulation.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.kernel.Transport;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedNetworkTest {
  private static final Address SERVER = new Address("server");

  record Word(String text) implements Message {}

  private static final MessageCodec CODEC =
      new MessageCodec() {
        private final TypeRegistry types = TypeRegistry.of(List.of(Word.class));

        @Override
        public ByteBuffer encode(Message message) {
          return ByteBuffer.wrap(types.encode(message));
        }

        @Override
        public Message decode(ByteBuffer bytes) {
          return (Message) types.decode(bytes);
        }
      };

  /** The events that an observer was told. */
  private static final class Told implements Transport.ReplyObserver {
    final List<String> replies = new ArrayList<>();
    final List<String> ends = new ArrayList<>();

    @Override
    public void replied(Message reply) {
      assertThat(ends).isEmpty();
      replies.add(((Word) reply).text());
    }

    @Override
    public void completed() {
      ends.add("completed");
    }

    @Override
    public void failed(UniserveException failure) {
      ends.add(failure.code().toString());
    }
  }

  private SimulatedCluster cluster = cluster(1);
  private Environment client;
  private Environment server;

  private static SimulatedCluster cluster(long seed) {
    return new SimulatedCluster(new Seed(seed), CODEC, ClusterSettings.DEFAULT);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void start(Transport.Handler handler) {
    cluster.add("client", environment -> client = environment).start();
    cluster
        .add(
            "server",
            environment -> {
              server = environment;
              environment.transport().listen(SERVER, handler);
            })
        .start();
    cluster.run(Duration.ofMillis(1));
  }

  private Told call(String word, Duration patience) {
    Told told = new Told();
    call(word, patience, told);
    return told;
  }

  private Transport.Call call(String word, Duration patience, Told told) {
    return client
        .transport()
        .call(SERVER, new Word(word), Deadline.after(client.clock(), patience), told);
  }

  private static void echo(Message request, Transport.Incoming call) {
    call.reply(request);
    call.complete();
  }

  @Test
  void repliesOfOneCallArriveInOrderAndThenItsEnd() {
    start(
        (request, call) ->
            server
                .threads()
                .start(
                    "answer",
                    () -> {
                      IntStream.range(0, 50).forEach(i -> call.reply(new Word("" + i)));
                      call.complete();
                    }));
    Told told = call("count", Duration.ofSeconds(10));
    cluster.run(Duration.ofSeconds(5));
    assertThat(told.replies)
        .containsExactlyElementsOf(IntStream.range(0, 50).mapToObj(i -> "" + i).toList());
    assertThat(told.ends).containsExactly("completed");
  }

  @Test
  void callsOvertakeEachOther() {
    List<String> arrived = new ArrayList<>();
    start((request, call) -> arrived.add(((Word) request).text()));
    List<String> sent = IntStream.range(0, 50).mapToObj(i -> "" + i).toList();
    sent.forEach(word -> call(word, Duration.ofSeconds(1)));
    cluster.run(Duration.ofSeconds(2));
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(sent).isNotEqualTo(sent);
  }

  @Test
  void aRequestIsDeliveredAtMostOnceHoweverMuchIsLost() {
    List<String> arrived = new ArrayList<>();
    start(
        (request, call) -> {
          arrived.add(((Word) request).text());
          echo(request, call);
        });
    cluster.network().lose(0.3);
    List<Told> told =
        IntStream.range(0, 200).mapToObj(i -> call("" + i, Duration.ofSeconds(30))).toList();
    cluster.run(Duration.ofSeconds(60));
    assertThat(arrived).doesNotHaveDuplicates().hasSizeBetween(100, 180);
    assertThat(told).allSatisfy(one -> assertThat(one.ends).hasSize(1));
    Set<String> ends = new HashSet<>();
    told.forEach(one -> ends.addAll(one.ends));
    assertThat(ends).containsExactlyInAnyOrder("completed", "UNAVAILABLE");
  }

  @Test
  void aCallEndsAtItsDeadlineAtBothEnds() {
    List<String> events = new ArrayList<>();
    start((request, call) -> call.onCancel(() -> events.add("cancelled " + call.cancelled())));
    Told told = call("silence", Duration.ofSeconds(1));
    cluster.run(Duration.ofMillis(900));
    assertThat(told.ends).isEmpty();
    cluster.run(Duration.ofMillis(200));
    assertThat(told.ends).containsExactly("DEADLINE_EXCEEDED");
    assertThat(events).containsExactly("cancelled true");
  }

  @Test
  void aCancellationReachesTheOtherEnd() {
    List<String> events = new ArrayList<>();
    start((request, call) -> call.onCancel(() -> events.add("cancelled")));
    Told told = new Told();
    Transport.Call call = call("never mind", Duration.ofHours(1), told);
    cluster.run(Duration.ofSeconds(1));
    call.cancel();
    call.cancel();
    cluster.run(Duration.ofSeconds(1));
    assertThat(told.ends).containsExactly("CANCELLED");
    assertThat(events).containsExactly("cancelled");
  }

  @Test
  void aSenderWaitsWhileTheReceiverIsBehindAndGivesUpWhenTheCallEnds() {
    List<String> events = new ArrayList<>();
    int[] sent = new int[1];
    start(
        (request, call) ->
            server
                .threads()
                .start(
                    "flood",
                    () -> {
                      try {
                        while (true) {
                          call.reply(request);
                          sent[0]++;
                        }
                      } catch (UniserveException e) {
                        events.add(e.code().toString());
                      }
                    }));
    cluster.process("client").pause();
    call("flood", Duration.ofSeconds(1));
    cluster.run(Duration.ofMillis(900));
    assertThat(sent[0]).isBetween(1, 20);
    cluster.run(Duration.ofSeconds(1));
    assertThat(events).containsExactly("DEADLINE_EXCEEDED");
  }

  /** A paused process's messages are taken, but it does not hear so before it runs again. */
  @Test
  void aSenderThatIsPausedGoesOnAfterwards() {
    List<Integer> sent = new ArrayList<>();
    start(
        (request, call) ->
            server
                .threads()
                .start(
                    "flood",
                    () -> {
                      for (int i = 0; i < 50; i++) {
                        call.reply(request);
                        sent.add(i);
                      }
                      call.complete();
                    }));
    cluster.process("client").pause();
    Told told = call("flood", Duration.ofSeconds(10));
    cluster.run(Duration.ofSeconds(1));
    int sentBefore = sent.size();
    assertThat(sentBefore).isLessThan(50);

    cluster.process("server").pause();
    cluster.process("client").resume();
    cluster.run(Duration.ofSeconds(1));
    assertThat(told.replies).isNotEmpty();
    assertThat(sent).hasSize(sentBefore);

    cluster.process("server").resume();
    cluster.run(Duration.ofSeconds(2));
    assertThat(told.replies).hasSize(50);
    assertThat(told.ends).containsExactly("completed");
  }

  @Test
  void anErrorOfTheHandlerReachesTheCaller() {
    start(
        (request, call) -> {
          throw new UniserveException(ErrorCode.NOT_FOUND, "no such word");
        });
    Told told = call("?", Duration.ofSeconds(1));
    cluster.run(Duration.ofSeconds(1));
    assertThat(told.ends).containsExactly("NOT_FOUND");
  }

  @Test
  void nobodyListeningIsNoticedSoonOrNotAtAll() {
    cluster.add("client", environment -> client = environment).start();
    cluster.run(Duration.ofMillis(1));
    Set<String> ends = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      Told told = call("hello?", Duration.ofMillis(400));
      cluster.run(Duration.ofSeconds(1));
      ends.addAll(told.ends);
    }
    assertThat(ends).containsExactlyInAnyOrder("UNAVAILABLE", "DEADLINE_EXCEEDED");
  }

  @Test
  void aCrashBreaksTheCallsOfBothSides() {
    List<String> events = new ArrayList<>();
    start((request, call) -> call.onCancel(() -> events.add("cancelled")));
    Told told = call("first", Duration.ofHours(1));
    cluster.run(Duration.ofSeconds(1));
    cluster.process("server").crash();
    cluster.run(Duration.ofSeconds(30));
    assertThat(told.ends).containsExactly("UNAVAILABLE");
    assertThat(events).isEmpty();

    cluster.process("server").start();
    cluster.run(Duration.ofSeconds(1));
    call("second", Duration.ofHours(1));
    cluster.run(Duration.ofSeconds(1));
    cluster.process("client").crash();
    cluster.run(Duration.ofSeconds(30));
    assertThat(events).containsExactly("cancelled");
  }

  @Test
  void nothingPassesACutAndEverythingAfterItIsMended() {
    List<String> arrived = new ArrayList<>();
    start(
        (request, call) -> {
          arrived.add(((Word) request).text());
          echo(request, call);
        });
    cluster.network().cut("client", "server");
    call("cut", Duration.ofSeconds(1));
    cluster.run(Duration.ofSeconds(2));
    assertThat(arrived).isEmpty();

    cluster.network().mend("client", "server");
    cluster.network().cut("server", "client");
    Told oneWay = call("one way", Duration.ofSeconds(1));
    cluster.run(Duration.ofSeconds(2));
    assertThat(arrived).containsExactly("one way");
    assertThat(oneWay.replies).isEmpty();

    cluster.network().heal();
    Told healed = call("healed", Duration.ofSeconds(1));
    cluster.run(Duration.ofSeconds(2));
    assertThat(healed.ends).containsExactly("completed");
  }

  @Test
  void aClosedAddressIsFreeAgainAndItsCallsFail() {
    Transport.Registration[] registration = new Transport.Registration[1];
    start((request, call) -> {});
    Address second = new Address("second");
    registration[0] = server.transport().listen(second, (request, call) -> {});
    assertThat(codeOf(() -> server.transport().listen(second, (request, call) -> {})))
        .isEqualTo(ErrorCode.ALREADY_EXISTS);
    Told told = new Told();
    client
        .transport()
        .call(second, new Word("?"), Deadline.after(client.clock(), Duration.ofHours(1)), told);
    cluster.run(Duration.ofSeconds(1));
    registration[0].close();
    cluster.run(Duration.ofSeconds(1));
    assertThat(told.ends).containsExactly("UNAVAILABLE");
    server.transport().listen(second, (request, call) -> {});
  }

  private void tell(Message message) {
    Deadline deadline = Deadline.after(client.clock(), Duration.ofSeconds(1));
    client.transport().tell(SERVER, message, deadline);
  }

  @Test
  void whatIsToldOvertakesAndIsHeardOnce() {
    List<String> heard = new ArrayList<>();
    start(
        (request, call) -> {
          heard.add(((Word) request).text());
          echo(request, call);
        });
    List<String> told = IntStream.range(0, 50).mapToObj(i -> "" + i).toList();
    told.forEach(word -> tell(new Word(word)));
    assertThat(heard).isEmpty();
    cluster.run(Duration.ofSeconds(2));
    assertThat(heard).containsExactlyInAnyOrderElementsOf(told).isNotEqualTo(told);
  }

  @Test
  void whatIsToldIsLostWithoutAWordOrHeardOnce() {
    List<String> heard = new ArrayList<>();
    start((request, call) -> heard.add(((Word) request).text()));
    cluster.network().lose(0.3);
    IntStream.range(0, 200).forEach(i -> tell(new Word("" + i)));
    cluster.run(Duration.ofSeconds(2));
    assertThat(heard).doesNotHaveDuplicates().hasSizeBetween(110, 170);

    heard.clear();
    cluster.network().heal();
    cluster.network().cut("client", "server");
    tell(new Word("cut"));
    cluster.network().mend("client", "server");
    cluster.network().cut("server", "client");
    tell(new Word("one way"));
    cluster.run(Duration.ofSeconds(2));
    assertThat(heard).containsExactly("one way");
  }

  @Test
  void whatIsToldIsNotHeardByWhoeverHasStoppedListening() {
    List<String> heard = new ArrayList<>();
    start((request, call) -> heard.add("the first"));
    Transport.Registration registration =
        server.transport().listen(new Address("second"), (request, call) -> heard.add("another"));
    Deadline deadline = Deadline.after(client.clock(), Duration.ofSeconds(1));
    client.transport().tell(new Address("second"), new Word("?"), deadline);
    registration.close();
    client.transport().tell(new Address("second"), new Word("?"), deadline);
    client.transport().tell(SERVER, new Word("?"), Deadline.after(client.clock(), Duration.ZERO));
    tell(new Word("?"));
    cluster.process("server").crash();
    cluster.process("server").start();
    cluster.run(Duration.ofSeconds(2));
    assertThat(heard).isEmpty();
  }

  /** A sender hears nothing of a lost message, and later messages are heard. */
  @Test
  void whatCannotBeToldOrIsRefusedHurtsNobody() {
    record Unknown() implements Message {}
    List<String> heard = new ArrayList<>();
    start(
        (request, call) -> {
          heard.add(((Word) request).text());
          throw new UniserveException(ErrorCode.NOT_FOUND, "no such word");
        });
    tell(new Unknown());
    tell(new Word("one"));
    tell(new Word("two"));
    cluster.run(Duration.ofSeconds(2));
    assertThat(heard).containsExactlyInAnyOrder("one", "two");
  }

  private static ErrorCode codeOf(Runnable code) {
    try {
      code.run();
      return null;
    } catch (UniserveException e) {
      return e.code();
    }
  }

  @Test
  void messagesAreEncodedUnlessHandedOver() {
    List<Message> arrived = new ArrayList<>();
    start((request, call) -> arrived.add(request));
    Word word = new Word("same?");
    client
        .transport()
        .call(SERVER, word, Deadline.after(client.clock(), Duration.ofSeconds(1)), new Told());
    cluster.run(Duration.ofSeconds(1));
    assertThat(arrived).containsExactly(word);
    assertThat(arrived.getFirst()).isNotSameAs(word);
  }

  @Test
  void aMessageThatCannotBeEncodedFailsItsCall() {
    record Unknown() implements Message {}
    start(SimulatedNetworkTest::echo);
    Told told = new Told();
    client
        .transport()
        .call(SERVER, new Unknown(), Deadline.after(client.clock(), Duration.ofSeconds(1)), told);
    cluster.run(Duration.ofSeconds(2));
    assertThat(told.ends).containsExactly("INVALID_ARGUMENT");
  }
}
