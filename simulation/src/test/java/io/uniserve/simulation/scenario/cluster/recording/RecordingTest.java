package io.uniserve.simulation.scenario.cluster.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.Acknowledged;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.Answered;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.Asked;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.Begun;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.Committed;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.Held;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.Led;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.SentAgain;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent.ToldToRetry;
import io.uniserve.simulation.scenario.cluster.recording.Recording.Moment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Histories of real processes that are sound, and the same with a change that the checks must
 * notice, as if the system or its client had a defect. {@code
 * -Dhistory.file=failed-histories/….txt} judges another history.
 */
class RecordingTest {
  private static final String EVENTUAL = "eventual";
  private static final String SERIALIZABLE = "serializable";
  private static final String SNAPSHOT = "snapshot";

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void whatWasRecordedHolds(String level) {
    assertThat(recorded(level).judge()).contains("acknowledged");
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void aTextIsReadAsItWasWritten(String level) {
    Recording recording = recorded(level);
    Recording read = Recording.read(recording.text(List.of("seed 1")));
    assertThat(read.moments()).isEqualTo(recording.moments());
    assertThat(read.table()).isEqualTo(recording.table());
  }

  @Test
  void aLineThatIsNoneIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Recording.read("3 SNAPSHOT\n17 begun client-0"))
        .withMessageContaining("17 begun client-0");
  }

  @Test
  @EnabledIfSystemProperty(named = "history.file", matches = ".+")
  void theHistoryOfAFileHolds() throws IOException {
    String text = Files.readString(Path.of(System.getProperty("history.file")));
    assertThat(Recording.read(text).judge()).contains("acknowledged");
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void noticesThatAnAcknowledgedUpdateIsLost(String level) {
    Begun lost = acknowledgedLast(recorded(level));
    assertBroken(
        Invariant.ACKNOWLEDGED_SURVIVES,
        without(Held.class, recorded(level), operation -> lost.operations().contains(operation)));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void noticesThatAnUpdateHappenedWhoseFailureWasRetryable(String level) {
    Recording recording = recorded(level);
    Begun one = acknowledgedLast(recording);
    ToldToRetry told = new ToldToRetry(one.key());
    assertThat(instead(recording, one, told, new SentAgain(one.key())).judge())
        .as("it was sent again")
        .contains("1 failures of updates without a key retryable");
    assertBroken(Invariant.SAFE_RETRIES, instead(recording, one, told));
  }

  /** Returns a history in which an update comes to something else than its acknowledgement. */
  private static Recording instead(Recording recording, Begun update, HistoryEvent... events) {
    List<Moment> moments = new ArrayList<>();
    for (Moment moment : recording.moments()) {
      if (moment.event() instanceof Acknowledged event && event.key().equals(update.key())) {
        for (HistoryEvent other : events) {
          moments.add(new Moment(moment.atMillis(), other));
        }
      } else {
        moments.add(moment);
      }
    }
    return new Recording(recording.table(), moments);
  }

  @ParameterizedTest
  @ValueSource(strings = {SERIALIZABLE, SNAPSHOT})
  void noticesThatAnUpdateNobodyWasToldOfHappenedOnOneActorAlone(String level) {
    Recording recording = recorded(level);
    Begun half = firstOfSeveralActors(recording);
    Operation missing = half.operations().getFirst();
    List<Moment> moments = new ArrayList<>(recording.moments());
    moments.removeIf(
        moment ->
            moment.event() instanceof Acknowledged event && event.key().equals(half.key())
                || moment.event() instanceof Answered);
    assertBroken(
        Invariant.ATOMIC_UPDATES,
        without(
            Held.class,
            new Recording(recording.table(), moments),
            operation ->
                actor(recording, operation) == actor(recording, missing)
                    && half.operations().contains(operation)));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void noticesAStaleRead(String level) {
    assertBroken(Invariant.READ_AFTER_ACKNOWLEDGEMENT, stale(recorded(level)));
  }

  /** Returns a history in which all answers are the first one. */
  private static Recording stale(Recording recording) {
    List<Moment> moments = new ArrayList<>(recording.moments());
    SortedMap<Integer, List<Operation>> first = null;
    for (int i = 0; i < moments.size(); i++) {
      if (moments.get(i).event() instanceof Answered answered) {
        first = first == null ? answered.journals() : first;
        moments.set(
            i, new Moment(moments.get(i).atMillis(), new Answered(answered.query(), first)));
      }
    }
    return new Recording(recording.table(), moments);
  }

  @Test
  void aServerThatWasGivenUpMayAnswerStaleReadsOfAnEventualTable() {
    assertThat(answeredByOneThatIsGone(stale(recorded(EVENTUAL))).judge()).contains("answered");
  }

  @ParameterizedTest
  @ValueSource(strings = {SERIALIZABLE, SNAPSHOT})
  void noticesAStaleReadOfAServerThatWasGivenUp(String level) {
    assertBroken(
        Invariant.READ_AFTER_ACKNOWLEDGEMENT, answeredByOneThatIsGone(stale(recorded(level))));
  }

  /**
   * Returns a history in which all answers come from a server whose copies nobody calls readable.
   */
  private static Recording answeredByOneThatIsGone(Recording recording) {
    Map<Long, String> clients = new TreeMap<>();
    List<Moment> moments = new ArrayList<>();
    for (Moment moment : recording.moments()) {
      if (moment.event() instanceof Asked asked) {
        clients.put(asked.query(), asked.client());
      }
      if (moment.event() instanceof Answered answered) {
        for (int actor : answered.journals().keySet()) {
          moments.add(
              new Moment(
                  moment.atMillis(),
                  new HistoryEvent.Replied(clients.get(answered.query()), actor, "gone")));
        }
      }
      moments.add(moment);
    }
    return new Recording(recording.table(), moments);
  }

  @Test
  void noticesThatASnapshotShowsAnUpdateInPart() {
    Recording recording = withoutPromises(recorded(SNAPSHOT));
    Begun half = firstOfSeveralActors(recording);
    int actor = actor(recording, half.operations().getFirst());
    assertBroken(
        Invariant.ONE_VERSION,
        without(
            Answered.class,
            recording,
            operation ->
                half.operations().contains(operation) && actor(recording, operation) == actor));
  }

  @Test
  void noticesThatASnapshotShowsWhatWasNotCommitted() {
    Recording recording = recorded(SNAPSHOT);
    List<Moment> moments = new ArrayList<>(recording.moments());
    moments.removeIf(moment -> moment.event() instanceof Committed);
    assertBroken(Invariant.ONE_VERSION, new Recording(recording.table(), moments));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void noticesThatCopiesDiffer(String level) {
    Recording recording = recorded(level);
    List<Moment> moments = new ArrayList<>(recording.moments());
    Moment last = moments.removeLast();
    Held held = (Held) last.event();
    moments.add(
        new Moment(
            last.atMillis(), new Held(held.actor(), held.server(), held.journal().reversed())));
    assertBroken(Invariant.SAME_ORDER_ON_COPIES, new Recording(recording.table(), moments));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void noticesAnotherOrderThanWasAcknowledged(String level) {
    assertBroken(
        Invariant.SAME_ORDER_ON_COPIES, changed(Held.class, recorded(level), List::reversed));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void noticesThatAnUpdateHappenedTwice(String level) {
    assertBroken(
        Invariant.SAME_ORDER_ON_COPIES,
        changed(
            Answered.class,
            recorded(level),
            journal -> {
              List<Operation> twice = new ArrayList<>(journal);
              twice.addAll(journal);
              return twice;
            }));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTUAL, SERIALIZABLE, SNAPSHOT})
  void noticesThatADeposedPrimaryAcknowledged(String level) {
    Recording recording = recorded(level);
    List<Moment> moments = new ArrayList<>(recording.moments());
    Begun update = acknowledgedLast(recording);
    int begun = events(recording).indexOf(update);
    int actor = actor(recording, update.operations().getFirst());
    moments.add(begun, new Moment(moments.get(begun).atMillis(), new Led(actor, 1_000)));
    assertBroken(Invariant.ONE_PRIMARY, new Recording(recording.table(), moments));
  }

  @Test
  void noticesWhatNobodyWrote() {
    assertBroken(
        Invariant.EXACT_ANSWER,
        changed(
            Held.class,
            recorded(EVENTUAL),
            journal -> {
              List<Operation> more = new ArrayList<>(journal);
              more.add(new Operation(journal.getFirst().key(), 1_000_000));
              return more;
            }));
  }

  private static void assertBroken(Invariant invariant, Recording recording) {
    InvariantViolation violation = catchThrowableOfType(InvariantViolation.class, recording::judge);
    assertThat(violation).as("what breaks " + invariant).isNotNull();
    assertThat(violation.invariant()).as(violation.getMessage()).isEqualTo(invariant);
  }

  private static Recording recorded(String level) {
    String name = level + "-history.txt";
    try (InputStream text = RecordingTest.class.getResourceAsStream(name)) {
      return Recording.read(new String(text.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<HistoryEvent> events(Recording recording) {
    return recording.moments().stream().map(Moment::event).toList();
  }

  /** Returns the last acknowledged update but the one that ends the history. */
  private static Begun acknowledgedLast(Recording recording) {
    List<String> keys = acknowledged(recording);
    String key = keys.get(keys.size() - 2);
    return begun(recording, update -> update.key().equals(key)).getLast();
  }

  /** Returns the keys of acknowledged updates, in order. */
  private static List<String> acknowledged(Recording recording) {
    return events(recording).stream()
        .filter(Acknowledged.class::isInstance)
        .map(event -> ((Acknowledged) event).key())
        .toList();
  }

  /** Returns the first acknowledged update of several actors. */
  private static Begun firstOfSeveralActors(Recording recording) {
    List<String> acknowledged = acknowledged(recording);
    return begun(
            recording,
            update ->
                acknowledged.contains(update.key())
                    && update.operations().stream()
                            .mapToInt(operation -> actor(recording, operation))
                            .distinct()
                            .count()
                        > 1)
        .getFirst();
  }

  private static List<Begun> begun(Recording recording, Predicate<Begun> wanted) {
    return events(recording).stream()
        .filter(Begun.class::isInstance)
        .map(Begun.class::cast)
        .filter(wanted)
        .toList();
  }

  private static int actor(Recording recording, Operation operation) {
    return recording.table().partitioner().actorOf(operation.partitionKey());
  }

  /**
   * Returns a history whose queries need not see acknowledged updates, since each begins before
   * everything.
   */
  private static Recording withoutPromises(Recording recording) {
    List<Moment> moments = new ArrayList<>(recording.moments());
    List<Moment> asked = moments.stream().filter(m -> m.event() instanceof Asked).toList();
    moments.removeAll(asked);
    moments.addAll(0, asked);
    return new Recording(recording.table(), moments);
  }

  private static Recording without(
      Class<? extends HistoryEvent> kind, Recording recording, Predicate<Operation> gone) {
    return changed(kind, recording, journal -> journal.stream().filter(gone.negate()).toList());
  }

  /** Returns a history with other journals in all events of a kind. */
  private static Recording changed(
      Class<? extends HistoryEvent> kind,
      Recording recording,
      UnaryOperator<List<Operation>> journals) {
    List<Moment> moments = new ArrayList<>();
    for (Moment moment : recording.moments()) {
      HistoryEvent event =
          kind.isInstance(moment.event()) ? changed(moment.event(), journals) : moment.event();
      moments.add(new Moment(moment.atMillis(), event));
    }
    return new Recording(recording.table(), moments);
  }

  private static HistoryEvent changed(HistoryEvent event, UnaryOperator<List<Operation>> journals) {
    return switch (event) {
      case Held held -> new Held(held.actor(), held.server(), journals.apply(held.journal()));
      case Answered answered -> {
        SortedMap<Integer, List<Operation>> changed = new TreeMap<>();
        answered
            .journals()
            .forEach((actor, journal) -> changed.put(actor, journals.apply(journal)));
        yield new Answered(answered.query(), changed);
      }
      default -> throw new IllegalArgumentException(event + " has no journals");
    };
  }
}
