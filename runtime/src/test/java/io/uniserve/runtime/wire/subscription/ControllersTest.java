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
import io.uniserve.runtime.wire.cluster.ControlRecord.ControllersChanged;
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

/** The controllers that a process asks while it looks for the one that decides, and its pauses. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ControllersTest {
  private static final Address A = new Address("a");
  private static final Address B = new Address("b");
  private static final Address C = new Address("c");
  private static final List<Address> THREE = List.of(A, B, C);
  private static final Message NOBODY = new NotLeader(Optional.empty());
  private static final Changed DECIDED = new Changed(0, 7);

  @TempDir Path directory;

  private final StillClock clock = new StillClock();

  /** The answer of each controller; a controller that is missing here cannot be reached. */
  private final Map<Address, Message> answers = new TreeMap<>();

  /** The controllers that were asked; an empty entry is a pause. */
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

  private Controllers controllers() throws IOException {
    return new Controllers(ProcessFixture.environment(clock, directory, new Answering()), THREE);
  }

  private Changed ask(Controllers controllers) {
    return controllers.ask(
        new AskVersion(), Changed.class, Deadline.after(clock, Duration.ofSeconds(2)));
  }

  /** Returns the controllers that were asked between two pauses. */
  private List<List<Address>> rounds() {
    List<List<Address>> rounds = new ArrayList<>(List.of(new ArrayList<>()));
    for (Optional<Address> step : steps) {
      step.ifPresentOrElse(rounds.getLast()::add, () -> rounds.add(new ArrayList<>()));
    }
    return rounds;
  }

  @Test
  void everyControllerIsAskedBeforeEachPause() throws IOException {
    THREE.forEach(controller -> answers.put(controller, NOBODY));
    assertThatThrownBy(() -> ask(controllers()))
        .hasMessage("no controller decides at present")
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

  /** A lease counts from the request that was answered, not from one that nobody has answered. */
  @Test
  void whoAsksKnowsWhenTheControllerThatAnswersWasAsked() throws IOException {
    answers.put(C, DECIDED);
    List<Integer> askedBefore = new ArrayList<>();
    controllers()
        .ask(
            new AskVersion(),
            Changed.class,
            Deadline.after(clock, Duration.ofSeconds(2)),
            () -> askedBefore.add(steps.size()));
    assertThat(steps).hasSizeGreaterThan(1);
    assertThat(askedBefore).hasSameSizeAs(steps).last().isEqualTo(steps.size() - 1);
  }

  @Test
  void oneThatIsAwayCostsNoPause() throws IOException {
    answers.put(C, DECIDED);
    Controllers controllers = controllers();
    assertThat(ask(controllers)).isEqualTo(DECIDED);
    assertThat(clock.sleeps()).isEmpty();
    assertThat(rounds().getFirst()).endsWith(C).hasSizeLessThanOrEqualTo(3).doesNotHaveDuplicates();

    steps.clear();
    ask(controllers);
    assertThat(steps).as("now it is known").containsExactly(Optional.of(C));
  }

  /** Controllers may be wrong, and name each other. */
  @Test
  void whoeverAControllerNamesIsAskedNextUnlessItWas() throws IOException {
    answers.put(A, new NotLeader(Optional.of(C)));
    answers.put(B, new NotLeader(Optional.of(A)));
    answers.put(C, new NotLeader(Optional.of(A)));
    assertThatThrownBy(() -> ask(controllers())).isInstanceOf(UniserveException.class);
    assertThat(rounds())
        .allSatisfy(round -> assertThat(round).containsExactlyInAnyOrderElementsOf(THREE));
    assertThat(rounds().getFirst()).containsExactly(A, C, B);
  }

  @Test
  void whoeverAControllerNamesIsAskedThoughNobodyElseKnowsIt() throws IOException {
    Address unheardOf = new Address("d");
    THREE.forEach(controller -> answers.put(controller, new NotLeader(Optional.of(unheardOf))));
    answers.put(unheardOf, DECIDED);
    assertThat(ask(controllers())).isEqualTo(DECIDED);
    assertThat(clock.sleeps()).isEmpty();
    assertThat(steps).hasSize(2).last().isEqualTo(Optional.of(unheardOf));
  }

  @Test
  void thoseThatThereAreNowAreAskedBeforeTheConfigured() throws IOException {
    Address other = new Address("d");
    Controllers controllers = controllers();
    controllers.learn(Replay.apply(ClusterState.EMPTY, new ControllersChanged(List.of(A, other))));
    assertThat(controllers.known()).containsExactly(A, other, B, C);
    assertThatThrownBy(() -> ask(controllers)).hasMessageContaining("is away");
    assertThat(rounds())
        .allSatisfy(round -> assertThat(round).containsExactlyInAnyOrder(A, other, B, C));
  }

  @Test
  void aDecisionAgainstItEndsTheSearch() throws IOException {
    answers.put(A, NOBODY);
    answers.put(B, new Refused(ErrorCode.NOT_FOUND, "there is no such thing"));
    answers.put(C, NOBODY);
    assertThatThrownBy(() -> ask(controllers())).hasMessage("there is no such thing");
    assertThat(clock.sleeps()).isEmpty();
    assertThat(rounds().getFirst()).endsWith(B);
  }
}
