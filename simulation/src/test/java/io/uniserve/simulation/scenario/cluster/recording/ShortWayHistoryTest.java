package io.uniserve.simulation.scenario.cluster.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.InvariantViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests that histories of the short way are judged by sequential consistency, and by no more. */
class ShortWayHistoryTest {
  /** Operations of two actors. */
  private static final String ONE = keyOf(0) + ":1";

  private static final String OTHER = keyOf(1) + ":2";

  private final List<String> lines = new ArrayList<>(List.of("2 ORDERED"));

  private static long keyOf(int actor) {
    return LongStream.range(0, 100)
        .filter(key -> new Partitioner.Hash(2).actorOf(PartitionKey.of(key)) == actor)
        .findFirst()
        .orElseThrow();
  }

  private void submitted(String session, String key, String operation) {
    add("begun client " + key + " " + operation);
    add("short " + key);
    add("submitted " + session + " " + key);
  }

  /** Adds a read, with what it has seen of each actor. */
  private void read(int number, String session, String one, String other) {
    add("cut " + number + " " + session);
    add("cut-answered " + number + " 0=" + one + ";1=" + other);
  }

  private void held(String one, String other) {
    add("held 0 s1 " + one);
    add("held 1 s1 " + other);
  }

  private void add(String event) {
    lines.add(lines.size() + " " + event);
  }

  private String judge() {
    return Recording.read(String.join("\n", lines)).judge();
  }

  private void assertBroken(Invariant invariant) {
    InvariantViolation violation = catchThrowableOfType(InvariantViolation.class, this::judge);
    assertThat(violation).isNotNull();
    assertThat(violation.invariant()).as(violation.getMessage()).isEqualTo(invariant);
  }

  @Test
  void aReadMaySeeTheFirstOfTwoAlone() {
    submitted("s", "first", ONE);
    submitted("s", "second", OTHER);
    read(1, "-", ONE, "-");
    read(2, "-", ONE, OTHER);
    held(ONE, OTHER);
    assertThat(judge()).contains("2 of one place in the order");
  }

  @Test
  void aReadMustNotSeeTheSecondOfASessionAlone() {
    submitted("s", "first", ONE);
    submitted("s", "second", OTHER);
    read(1, "-", "-", OTHER);
    held(ONE, OTHER);
    assertBroken(Invariant.TOTAL_ORDER);
  }

  @Test
  void twoReadsMustNotSeeUpdatesOfTwoSessionsInDifferentOrders() {
    submitted("s", "first", ONE);
    submitted("t", "second", OTHER);
    read(1, "-", ONE, "-");
    read(2, "-", "-", OTHER);
    held(ONE, OTHER);
    assertBroken(Invariant.TOTAL_ORDER);
  }

  @Test
  void readsOfASessionMustNotGoBack() {
    submitted("s", "first", ONE);
    add("begun client second " + OTHER);
    add("short second");
    add("submitted t second");
    read(1, "t", ONE, OTHER);
    read(2, "t", "-", OTHER);
    held(ONE, OTHER);
    assertBroken(Invariant.TOTAL_ORDER);
  }

  @Test
  void whatAReadHasSeenMustNotBeLost() {
    submitted("s", "first", ONE);
    submitted("t", "second", OTHER);
    read(1, "-", ONE, OTHER);
    held(ONE, "-");
    assertBroken(Invariant.ACKNOWLEDGED_SURVIVES);
  }

  @Test
  void whatWasStableBeforeAReadBeganIsSeen() {
    submitted("s", "first", ONE);
    submitted("t", "second", OTHER);
    add("stable first 7");
    read(1, "-", "-", OTHER);
    held(ONE, OTHER);
    assertBroken(Invariant.READ_AFTER_ACKNOWLEDGEMENT);
  }

  @Test
  void thePlaceThatAnUpdateIsToldMayBeThatOfAnotherBeforeIt() {
    submitted("s", "first", ONE);
    add("begun client placed " + OTHER);
    add("submitted t placed");
    add("stable placed 7");
    read(1, "-", "-", OTHER);
    add("stable first 7");
    held(ONE, OTHER);
    assertThat(judge()).contains("1 of one place in the order");
  }
}
