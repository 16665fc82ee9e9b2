package io.uniserve.runtime.wire.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.wire.ControlMessage.AskVersion;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.Refused;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.RoutersChanged;
import io.uniserve.runtime.wire.cluster.Replay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The routers that a process asks while it looks for the one that decides, and its pauses. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutersTest {
  private static final Address A = new Address("a");
  private static final Address B = new Address("b");
  private static final Address C = new Address("c");
  private static final List<Address> THREE = List.of(A, B, C);
  private static final Message NOBODY = new NotLeader(Optional.empty());
  private static final Changed DECIDED = new Changed(0, 7);

  @TempDir Path directory;

  private final StillClock clock = new StillClock();

  /** The answer of each router; a router that is missing here cannot be reached. */
  private final Map<Address, Message> answers = new TreeMap<>();

  /** The routers that were asked; an empty entry is a pause. */
  private final List<Optional<Address>> steps = new ArrayList<>();

  private int pausesNoted;

  private final class Answering implements Transport {
    @Override
    public Registration listen(Address self, Handler handler) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
      notePauses();
      steps.add(Optional.of(to));
      Message answer = answers.get(to);
      if (answer == null) {
        replies.failed(new UniserveException(ErrorCode.UNAVAILABLE, to + " is away"));
      } else {
        replies.replied(answer);
        replies.completed();
      }
      return () -> {};
    }
  }

  private void notePauses() {
    for (; pausesNoted < clock.sleeps().size(); pausesNoted++) {
      steps.add(Optional.empty());
    }
  }

  private Routers routers() throws IOException {
    return new Routers(ProcessFixture.environment(clock, directory, new Answering()), THREE);
  }

  private Changed ask(Routers routers) {
    return routers.ask(
        new AskVersion(), Changed.class, Deadline.after(clock, Duration.ofSeconds(2)));
  }

  /** Returns the routers that were asked between two pauses. */
  private List<List<Address>> rounds() {
    List<List<Address>> rounds = new ArrayList<>(List.of(new ArrayList<>()));
    for (Optional<Address> step : steps) {
      step.ifPresentOrElse(rounds.getLast()::add, () -> rounds.add(new ArrayList<>()));
    }
    return rounds;
  }

  @Test
  void everyRouterIsAskedBeforeEachPause() throws IOException {
    THREE.forEach(router -> answers.put(router, NOBODY));
    assertThatThrownBy(() -> ask(routers()))
        .hasMessage("no router decides at present")
        .extracting(failure -> ((UniserveException) failure).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(rounds())
        .hasSizeGreaterThan(5)
        .allSatisfy(round -> assertThat(round).containsExactlyInAnyOrderElementsOf(THREE));
    assertThat(clock.sleeps())
        .startsWith(millis(20), millis(40), millis(80), millis(160), millis(200), millis(200))
        .allMatch(pause -> pause.compareTo(millis(200)) <= 0);
  }

  private static Duration millis(int millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void oneThatIsAwayCostsNoPause() throws IOException {
    answers.put(C, DECIDED);
    Routers routers = routers();
    assertThat(ask(routers)).isEqualTo(DECIDED);
    assertThat(clock.sleeps()).isEmpty();
    assertThat(rounds().getFirst()).endsWith(C).hasSizeLessThanOrEqualTo(3).doesNotHaveDuplicates();

    steps.clear();
    ask(routers);
    assertThat(steps).as("now it is known").containsExactly(Optional.of(C));
  }

  /** Routers may be wrong, and name each other. */
  @Test
  void whoeverARouterNamesIsAskedNextUnlessItWas() throws IOException {
    answers.put(A, new NotLeader(Optional.of(C)));
    answers.put(B, new NotLeader(Optional.of(A)));
    answers.put(C, new NotLeader(Optional.of(A)));
    assertThatThrownBy(() -> ask(routers())).isInstanceOf(UniserveException.class);
    assertThat(rounds())
        .allSatisfy(round -> assertThat(round).containsExactlyInAnyOrderElementsOf(THREE));
    assertThat(rounds().getFirst()).containsExactly(A, C, B);
  }

  @Test
  void whoeverARouterNamesIsAskedThoughNobodyElseKnowsIt() throws IOException {
    Address unheardOf = new Address("d");
    THREE.forEach(router -> answers.put(router, new NotLeader(Optional.of(unheardOf))));
    answers.put(unheardOf, DECIDED);
    assertThat(ask(routers())).isEqualTo(DECIDED);
    assertThat(clock.sleeps()).isEmpty();
    assertThat(steps).hasSize(2).last().isEqualTo(Optional.of(unheardOf));
  }

  @Test
  void thoseThatThereAreNowAreAskedBeforeTheConfigured() throws IOException {
    Address other = new Address("d");
    Routers routers = routers();
    routers.learn(Replay.apply(ClusterState.EMPTY, new RoutersChanged(List.of(A, other))));
    assertThat(routers.known()).containsExactly(A, other, B, C);
    assertThatThrownBy(() -> ask(routers)).hasMessageContaining("is away");
    assertThat(rounds())
        .allSatisfy(round -> assertThat(round).containsExactlyInAnyOrder(A, other, B, C));
  }

  @Test
  void aDecisionAgainstItEndsTheSearch() throws IOException {
    answers.put(A, NOBODY);
    answers.put(B, new Refused(ErrorCode.NOT_FOUND, "there is no such thing"));
    answers.put(C, NOBODY);
    assertThatThrownBy(() -> ask(routers())).hasMessage("there is no such thing");
    assertThat(clock.sleeps()).isEmpty();
    assertThat(rounds().getFirst()).endsWith(B);
  }
}
