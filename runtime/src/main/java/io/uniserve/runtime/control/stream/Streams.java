package io.uniserve.runtime.control.stream;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.wire.ControlMessage.CreateStream;
import io.uniserve.runtime.wire.ControlMessage.PauseStream;
import io.uniserve.runtime.wire.ControlMessage.PutStream;
import io.uniserve.runtime.wire.ControlMessage.ReportStream;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.StreamAdvanced;
import io.uniserve.runtime.wire.cluster.ControlRecord.StreamChanged;
import io.uniserve.runtime.wire.cluster.ControlRecord.StreamCreated;
import io.uniserve.runtime.wire.cluster.ControlRecord.StreamDropped;
import io.uniserve.runtime.wire.cluster.ControlRecord.StreamRedefined;
import io.uniserve.runtime.wire.cluster.ControlRecord.StreamTaken;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The streams: who reads each, and how far it has got. A process that reads one reports once in a
 * while. If it is silent for {@link #SILENCE}, the next process that reports gets the stream. That
 * two processes read one for a moment is harmless, since actors take each record once. Only for the
 * deciding thread.
 */
public final class Streams {
  /** The time without a report after which a stream may be given to another process. */
  public static final Duration SILENCE = Duration.ofSeconds(5);

  /** The number of streams that a cluster may have. */
  static final int STREAMS_MAX = 1_000;

  private final Environment environment;
  private final Decisions decisions;

  /** The time of the last report of each stream's runner. */
  private final Map<String, Long> heardNanos = new TreeMap<>();

  private final long begunNanos;

  /** Begins a term. What runners reported before is not known, so each gets time to report. */
  public Streams(Environment environment, Decisions decisions) {
    this.environment = environment;
    this.decisions = decisions;
    this.begunNanos = environment.clock().nanos();
  }

  /**
   * Records a stream.
   *
   * @return the identity of its table
   * @throws UniserveException that says what is wrong with it
   */
  public long create(CreateStream request) {
    StreamDefinition definition = request.definition();
    definition.requireValid();
    TableState table = decisions.state().requireTable(definition.table());
    StreamState known = decisions.state().streams().get(definition.name());
    if (known != null) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "there is a stream '"
              + definition.name()
              + "' already"
              + (known.status() == Status.ENDED
                  ? "; it has ended: resume it to go on where it was, or drop it"
                  : ""));
    }
    decisions.record(List.of(created(table, definition)));
    return table.id();
  }

  private StreamCreated created(TableState table, StreamDefinition definition) {
    if (decisions.state().streams().size() >= STREAMS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "there are " + STREAMS_MAX + " streams, which is the most");
    }
    return new StreamCreated(identity(), table.id(), definition);
  }

  private String identity() {
    return "%016x%016x".formatted(environment.random().nextLong(), environment.random().nextLong());
  }

  /**
   * Records a stream, or the other description of the one that there is.
   *
   * @return the identity of its table
   * @throws UniserveException if it reads another topic, or into another table, than the one that
   *     there is
   */
  public long put(PutStream request) {
    StreamDefinition definition = request.definition();
    definition.requireValid();
    ClusterState state = decisions.state();
    TableState table = state.requireTable(definition.table());
    StreamState known = state.streams().get(definition.name());
    Status next = request.paused() ? Status.PAUSED : Status.RUNNING;
    List<ControlRecord> records = new ArrayList<>();
    if (known == null) {
      records.add(created(table, definition));
    } else {
      requireSameRecords(known, table, definition);
      if (!known.definition().equals(definition)) {
        records.add(new StreamRedefined(definition));
      }
    }
    if (next != (known == null ? Status.RUNNING : known.status())) {
      records.add(new StreamChanged(definition.name(), next, why(next)));
    }
    if (!records.isEmpty()) {
      decisions.record(records);
    }
    return table.id();
  }

  private static void requireSameRecords(
      StreamState known, TableState table, StreamDefinition definition) {
    StreamDefinition former = known.definition();
    boolean same =
        known.table() == table.id()
            && former.source().equals(definition.source())
            && former.topic().equals(definition.topic())
            && former.format().equals(definition.format());
    if (!same) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "stream '"
              + known.name()
              + "' reads records of topic '"
              + former.topic()
              + "' in format '"
              + former.format()
              + "' into table '"
              + former.table()
              + "', and its progress means no others: drop it first");
    }
  }

  private static String why(Status status) {
    return switch (status) {
      case PAUSED -> "somebody has paused it";
      case ENDED -> "somebody has ended it";
      case RUNNING, FAILED -> "";
    };
  }

  /** Ends a stream, whose progress is kept; returns the identity of its table. */
  public long end(String name) {
    return change(name, Status.ENDED);
  }

  private long change(String name, Status next) {
    StreamState stream = decisions.state().requireStream(name);
    if (stream.status() != next) {
      decisions.record(List.of(new StreamChanged(name, next, why(next))));
    }
    return stream.table();
  }

  /**
   * Lets a stream be read from its start again, as another stream whose records no actor has;
   * returns the identity of its table.
   */
  public long reset(String name) {
    StreamState stream = decisions.state().requireStream(name);
    List<ControlRecord> records = new ArrayList<>();
    records.add(new StreamDropped(name));
    records.add(new StreamCreated(identity(), stream.table(), stream.definition()));
    if (stream.status() == Status.PAUSED || stream.status() == Status.ENDED) {
      records.add(new StreamChanged(name, stream.status(), why(stream.status())));
    }
    decisions.record(records);
    heardNanos.remove(stream.identity());
    return stream.table();
  }

  /** Pauses or resumes a stream; returns the identity of its table. */
  public long pause(PauseStream request) {
    return change(request.name(), request.paused() ? Status.PAUSED : Status.RUNNING);
  }

  /** Drops a stream; returns the identity of its table. */
  public long drop(String name) {
    StreamState stream = decisions.state().requireStream(name);
    decisions.record(List.of(new StreamDropped(name)));
    heardNanos.remove(stream.identity());
    return stream.table();
  }

  /**
   * Notes a report.
   *
   * @return the term in which its sender reads the stream; 0 if it does not
   */
  public long report(ReportStream report) {
    StreamState stream = decisions.state().streams().get(report.name());
    if (stream == null || stream.status() != Status.RUNNING) {
      return 0;
    }
    if (!stream.runner().equals(report.runner())) {
      return isSilent(stream) ? give(stream, report.runner()) : 0;
    }
    heardNanos.put(stream.identity(), environment.clock().nanos());
    if (report.term() == stream.term()) {
      advance(stream, report);
    }
    return decisions.state().streams().get(report.name()).term();
  }

  private boolean isSilent(StreamState stream) {
    long last = heardNanos.getOrDefault(stream.identity(), begunNanos);
    return stream.runner().isEmpty() || environment.clock().nanos() - last > SILENCE.toNanos();
  }

  private long give(StreamState stream, String runner) {
    decisions.record(List.of(new StreamTaken(stream.name(), runner)));
    heardNanos.put(stream.identity(), environment.clock().nanos());
    return stream.term() + 1;
  }

  private void advance(StreamState stream, ReportStream report) {
    boolean more =
        !report.partitions().isEmpty()
            || !report.skipped().isEmpty()
            || !report.topic().equals(stream.topic());
    if (more) {
      decisions.record(
          List.<ControlRecord>of(
              new StreamAdvanced(
                  stream.name(), report.topic(), report.partitions(), report.skipped())));
    }
    report
        .failure()
        .ifPresent(
            why -> decisions.record(List.of(new StreamChanged(stream.name(), Status.FAILED, why))));
  }
}
