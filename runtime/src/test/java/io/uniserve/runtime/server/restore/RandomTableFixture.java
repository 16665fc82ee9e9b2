package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A random table, and what of it the durable store has. Its actors are split and merged now and
 * then, and get other primaries. Other seeds than the first are played with {@code -Drestores.from}
 * and {@code -Drestores.seeds}.
 */
abstract class RandomTableFixture<L extends StoredLine> extends OrderStoreFixture {
  static final Payload NOTHING = Payload.ofBytes(StillEngine.NAME, ByteBuffer.allocate(0));
  private static final int STEPS_MIN = 20;
  private static final int STEPS = 60;

  Random random;

  /** All actors that ever were, by number. */
  final List<L> lines = new ArrayList<>();

  Partitioner shape;
  long now = 10;
  private long epochs = 1;

  static IntStream seeds() {
    int from = Integer.getInteger("restores.from", 0);
    return IntStream.range(from, from + Integer.getInteger("restores.seeds", 60));
  }

  /** Creates an actor that the table begins with. */
  abstract L first(int actor);

  /** Creates an actor that is split off another. */
  abstract L part(L whole, int actor, CheckpointMeta made);

  /** Creates an actor that two become. */
  abstract L whole(L one, L other, int actor, CheckpointMeta made);

  /**
   * Lets everything be done that was begun with an actor.
   *
   * @return false if that takes longer, so that its keys cannot change
   */
  abstract boolean settle(L line);

  /** Does something with the table or one of its actors. */
  abstract void step(L line, boolean gaps) throws IOException;

  /**
   * Runs the table for a while.
   *
   * @param gaps true if the store may not answer for some time
   */
  final void run(int seed, boolean gaps) throws IOException {
    random = new Random(seed);
    shape = new Partitioner.Hash(2 + random.nextInt(3));
    IntStream.range(0, shape.actors()).forEach(actor -> lines.add(first(actor)));
    boolean reshaped = random.nextBoolean();
    int steps = STEPS_MIN + random.nextInt(STEPS);
    for (int step = 0; step < steps; step++) {
      now += random.nextInt(3) == 0 ? 0 : random.nextInt(8);
      L line = random(living());
      switch (reshaped ? random.nextInt(20) : 20) {
        case 0 -> split(line);
        case 1 -> merge(line);
        case 2 -> line.lead(++epochs);
        default -> step(line, gaps);
      }
    }
  }

  final <T> T random(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  final List<L> living() {
    return living(shape);
  }

  final List<L> living(Partitioner some) {
    return some.actorsOf(Keys.ALL).stream().map(lines::get).toList();
  }

  private void split(L whole) throws IOException {
    if (!settle(whole)) {
      return;
    }
    if (random.nextInt(4) > 0) { // older versions did not do that
      whole.store();
    }
    long millis = changeMillis(whole);
    Partitioner.Refined next =
        shape.cut(whole.actor, new PartitionChange.Where.Bit(shape.nextBit(whole.actor)), millis);
    int into = shape.actors();
    CheckpointMeta made =
        whole.meta().ofPart(birth(whole.end().sequence()), millis, next.generation(into));
    made(into, made, whole.applied());
    if (random.nextInt(4) == 0) {
      return; // the coordinator gave it up
    }
    lines.add(part(whole, into, made));
    whole.keep(++epochs, new Retained(millis, next, next.generation(whole.actor)));
    shape = next;
  }

  private void merge(L one) throws IOException {
    List<Integer> neighbours = shape.neighbours(one.actor);
    if (neighbours.isEmpty()) {
      return;
    }
    L other = lines.get(neighbours.getFirst());
    if (!settle(one) || !settle(other)) {
      return;
    }
    one.store();
    other.store();
    long millis = Math.max(changeMillis(one), changeMillis(other));
    int into = shape.actors();
    Partitioner.Refined next = shape.merge(one.actor, other.actor, millis);
    CheckpointMeta made =
        merged(
            one.actor,
            one.meta(),
            other.actor,
            other.meta(),
            birth(Math.max(one.end().sequence(), other.end().sequence())),
            millis,
            next.generation(into));
    made(into, made, Stream.of(one, other).flatMap(each -> each.applied().stream()).toList());
    if (random.nextInt(4) == 0) {
      return; // the coordinator gave it up
    }
    lines.add(whole(one, other, into, made));
    shape = next;
  }

  private Position birth(long sequence) {
    return new Position(++epochs, sequence);
  }

  private long changeMillis(L line) {
    long changed = shape.history().isEmpty() ? 0 : shape.history().getLast().timeMillis();
    return LongStream.of(now, changed, line.lastMillis()).max().getAsLong();
  }

  /** Requires that a restore has all of what an actor had before it was split. */
  final void requireNothingTorn(Partitioner restored, List<Cut> cuts, String when) {
    restored
        .actorSplits()
        .forEach(
            split ->
                assertThat(cuts.get(split.actor()).last().sequence())
                    .as(when + ", the whole of " + split + ", " + cuts + "\n" + this)
                    .isGreaterThanOrEqualTo(lines.get(split.into()).base.sequence()));
  }

  /** Returns the table's shape at a moment. */
  final Partitioner asOf(long moment) {
    return shape instanceof Partitioner.Refined refined ? refined.asOf(moment) : shape;
  }

  /** Returns whether an actor was merged of another, and maybe more. */
  final boolean isOf(int whole, int actor) {
    return shape.history().stream()
        .filter(change -> change instanceof PartitionChange.Merge merge && merge.ends(actor))
        .anyMatch(change -> change.into() == whole || isOf(whole, change.into()));
  }

  /** Returns all moments at which something happened, and those before. */
  final List<Long> moments() {
    return Stream.of(
            lines.stream().flatMap(line -> line.log.stream()).map(LogEntry::timeMillis),
            shape.history().stream().map(PartitionChange::timeMillis),
            Stream.of(1L, now + 100))
        .flatMap(some -> some)
        .flatMap(millis -> Stream.of(millis - 1, millis))
        .distinct()
        .sorted()
        .toList();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    shape.history().forEach(change -> text.append(change).append('\n'));
    lines.forEach(text::append);
    return text.toString();
  }
}
