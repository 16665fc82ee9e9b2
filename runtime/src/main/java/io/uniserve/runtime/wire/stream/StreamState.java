package io.uniserve.runtime.wire.stream;

import io.uniserve.api.form.Name;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A stream in cluster state.
 *
 * @param identity its identity, drawn at random, which no other stream has had
 * @param table the identity of its table
 * @param definition its description
 * @param status its condition
 * @param why the reason why it is not read; empty if it is
 * @param runner the name of the process that reads it; empty before the first
 * @param term the number of times that a runner was chosen or reading began anew; progress of
 *     another term does not count
 * @param topic the identity that the source has given the topic; empty until it was looked at
 * @param partitions the progress, by number of partition
 * @param skipped the newest of the records that were skipped, at most {@link #SKIPPED_MAX}
 */
public record StreamState(
    String identity,
    long table,
    StreamDefinition definition,
    Status status,
    String why,
    String runner,
    long term,
    String topic,
    List<StreamPartition> partitions,
    List<SkippedRecord> skipped) {
  /** The number of skipped records that are known by offset and reason. */
  public static final int SKIPPED_MAX = 10;

  /** Copies the lists. */
  public StreamState {
    partitions = List.copyOf(partitions);
    skipped = List.copyOf(skipped);
  }

  /** The condition of a stream. */
  public enum Status {
    /** It is read. */
    @Name("RUNNING")
    RUNNING,
    /** Somebody has paused it. */
    @Name("PAUSED")
    PAUSED,
    /** It has stopped since something is wrong that does not pass. */
    @Name("FAILED")
    FAILED,
    /** Somebody has ended it. Its progress is kept, so that it can go on. */
    @Name("ENDED")
    ENDED
  }

  /** Returns a new stream, which nobody reads yet. */
  public static StreamState created(String identity, long table, StreamDefinition definition) {
    return new StreamState(
        identity, table, definition, Status.RUNNING, "", "", 0, "", List.of(), List.of());
  }

  /** Returns the name. */
  public String name() {
    return definition.name();
  }

  /** Returns the number of records that are yet to be read, as of the last look. */
  public long lag() {
    return partitions.stream().mapToLong(StreamPartition::lag).sum();
  }

  /** Returns the progress in a partition. */
  public Optional<StreamPartition> partition(int number) {
    return partitions.stream().filter(one -> one.number() == number).findFirst();
  }

  /** Returns the stream in another condition. */
  public StreamState with(Status next, String reason) {
    return new StreamState(
        identity, table, definition, next, reason, runner, term, topic, partitions, skipped);
  }

  /** Returns the stream with another description, which is read in another term. */
  public StreamState redefined(StreamDefinition next) {
    return new StreamState(
        identity, table, next, status, why, runner, term + 1, topic, partitions, skipped);
  }

  /** Returns the stream that another process reads from now on. */
  public StreamState takenBy(String next) {
    return new StreamState(
        identity, table, definition, status, why, next, term + 1, topic, partitions, skipped);
  }

  /** Returns the stream with progress. */
  public StreamState advanced(
      String topicIdentity, List<StreamPartition> progress, List<SkippedRecord> more) {
    List<StreamPartition> next = new ArrayList<>(partitions);
    for (StreamPartition one : progress) {
      // A report that was sent again may come late.
      long reached = partition(one.number()).map(StreamPartition::next).orElse(0L);
      next.removeIf(known -> known.number() == one.number());
      next.add(
          new StreamPartition(
              one.number(),
              one.begun(),
              Math.max(reached, one.next()),
              Math.max(reached, one.end()),
              one.skipped()));
    }
    next.sort(Comparator.comparingInt(StreamPartition::number));
    List<SkippedRecord> newest = new ArrayList<>(skipped);
    more.stream().filter(one -> !newest.contains(one)).forEach(newest::add);
    return new StreamState(
        identity,
        table,
        definition,
        status,
        why,
        runner,
        term,
        topicIdentity,
        next,
        newest.subList(Math.max(0, newest.size() - SKIPPED_MAX), newest.size()));
  }

  /**
   * Returns the stream once a table has lost something: it is read again from where it began. What
   * the table still has is not stored again.
   */
  public StreamState begunAnew(long nextTable) {
    return new StreamState(
        identity,
        nextTable,
        definition,
        status,
        why,
        runner,
        term + 1,
        topic,
        partitions.stream()
            .map(
                one ->
                    new StreamPartition(
                        one.number(), one.begun(), one.begun(), one.end(), one.skipped()))
            .toList(),
        skipped);
  }
}
