package io.uniserve.runtime.client.stream;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.stream.StreamSource.Bounds;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamDefinition.OnBad;
import io.uniserve.runtime.wire.stream.StreamDefinition.Start;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reading of one stream by this process, for one term. A thread reads some records of all
 * partitions, sends those of each partition as one update, side by side, and reads on once all
 * copies have them. So memory is bounded by what is read at once, and records of a partition are
 * applied in their order. A failure that may pass is waited for.
 */
final class StreamRun {
  private static final Logger LOG = LoggerFactory.getLogger(StreamRun.class);

  /** The time between two looks at the ends of the partitions, and at which there are. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private static final int WHY_MAX = 300;

  private final Environment environment;
  private final UniserveClient client;
  private final StreamSettings settings;
  private final StreamState stream;
  private final StreamDefinition definition;
  private final RowSender sender;
  private final Signal stopped;
  private final ReentrantLock lock = new ReentrantLock();
  private final SortedMap<Integer, PartitionProgress> partitions = new TreeMap<>();
  private List<SkippedRecord> skipped = new ArrayList<>();
  private String topic;
  private Optional<String> failure = Optional.empty();
  private Optional<String> problem = Optional.empty();
  private long lookedNanos;

  /**
   * @param stream the stream as of the beginning of the term
   */
  StreamRun(
      Environment environment, UniserveClient client, StreamSettings settings, StreamState stream) {
    this.environment = environment;
    this.client = client;
    this.settings = settings;
    this.stream = stream;
    this.definition = stream.definition();
    this.sender = new RowSender(client, stream, settings.timeout());
    this.stopped = environment.threads().signal();
    this.topic = stream.topic();
    stream
        .partitions()
        .forEach(known -> partitions.put(known.number(), new PartitionProgress(known)));
  }

  /**
   * The progress of a run.
   *
   * @param topic the identity of the topic; empty until it was looked at
   * @param skipped records skipped since the last time that it was taken
   * @param failure the reason why the run has ended
   */
  record Progress(
      String topic,
      List<StreamPartition> partitions,
      List<SkippedRecord> skipped,
      Optional<String> failure) {}

  void start() {
    environment.threads().start("stream " + stream.name(), this::run);
  }

  /** Ends the run. An update that is under way may still be applied, once. */
  void stop() {
    stopped.set();
  }

  long term() {
    return stream.term();
  }

  String identity() {
    return stream.identity();
  }

  /** Returns the trouble that the run waits to pass, if any. */
  Optional<String> problem() {
    lock.lock();
    try {
      return problem;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how far the run has got. */
  Progress progress() {
    lock.lock();
    try {
      return new Progress(
          topic,
          partitions.values().stream().map(PartitionProgress::state).toList(),
          List.copyOf(skipped),
          failure);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets skipped records that were reported. */
  void reported(Progress progress) {
    lock.lock();
    try {
      skipped.removeAll(progress.skipped());
    } finally {
      lock.unlock();
    }
  }

  /** A failure that does not pass by itself. */
  private static final class FinalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FinalException(String why) {
      super(why);
    }
  }

  private void run() {
    try {
      while (!stopped.isSet()) {
        try {
          read();
        } catch (FinalException e) {
          fail(e.getMessage());
          return;
        } catch (RuntimeException e) {
          pause(UniserveException.of(e));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(String why) {
    LOG.warn("stream {} stops: {}", stream.name(), why);
    lock.lock();
    try {
      failure = Optional.of(why);
    } finally {
      lock.unlock();
    }
  }

  private void pause(UniserveException trouble) throws InterruptedException {
    String why = String.valueOf(trouble.getMessage());
    lock.lock();
    try {
      if (problem.isEmpty()) {
        LOG.warn("stream {} waits: {}", stream.name(), why);
      }
      problem = Optional.of(why);
    } finally {
      lock.unlock();
    }
    stopped.await(Deadline.after(environment.clock(), settings.pause()));
  }

  private void well() {
    lock.lock();
    try {
      problem = Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void read() throws InterruptedException {
    StreamSourceKind kind = settings.kinds().get(definition.source());
    StreamFormat format = settings.formats().get(definition.format());
    if (kind == null || format == null) {
      throw new FinalException(
          kind == null
              ? "this process has no source of kind '" + definition.source() + "'"
              : "there is no format '" + definition.format() + "'");
    }
    try (StreamSource source = kind.open(definition, settings.properties())) {
      requireSameTopic(source.identity());
      look(source);
      if (!awaitBegun()) {
        return;
      }
      source.seek(next());
      well();
      while (!stopped.isSet()) {
        List<StreamRecord> records = source.read(settings.patience());
        take(records, format);
        long sinceNanos = environment.clock().nanos() - lookedNanos;
        if (sinceNanos > LOOK.toNanos() && look(source)) {
          source.seek(next());
        }
        well();
      }
    }
  }

  private void requireSameTopic(String identity) {
    lock.lock();
    try {
      if (!topic.isEmpty() && !topic.equals(identity)) {
        throw new FinalException(
            "topic '"
                + definition.topic()
                + "' was deleted and made again, so its offsets mean other records: create another"
                + " stream");
      }
      topic = identity;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Looks at which partitions there are and where they end. A partition that was added since is
   * read from its beginning.
   *
   * @return true if there are more than before
   */
  private boolean look(StreamSource source) {
    SortedMap<Integer, Bounds> found = source.partitions();
    lookedNanos = environment.clock().nanos();
    boolean first = stream.topic().isEmpty() && partitions.isEmpty();
    boolean more = false;
    lock.lock();
    try {
      for (Map.Entry<Integer, Bounds> entry : found.entrySet()) {
        Bounds bounds = entry.getValue();
        PartitionProgress known = partitions.get(entry.getKey());
        if (known == null) {
          long begin = first && definition.start() == Start.LATEST ? bounds.end() : bounds.first();
          partitions.put(
              entry.getKey(),
              new PartitionProgress(
                  new StreamPartition(entry.getKey(), begin, begin, bounds.end(), 0)));
          more = true;
        } else {
          requireThere(entry.getKey(), known, bounds);
          known.looked(bounds.end());
        }
      }
      return more;
    } finally {
      lock.unlock();
    }
  }

  private void requireThere(int number, PartitionProgress known, Bounds bounds) {
    if (bounds.first() > known.next()) {
      throw new FinalException(
          "records "
              + known.next()
              + " to "
              + (bounds.first() - 1)
              + " of partition "
              + number
              + " of topic '"
              + definition.topic()
              + "' were deleted before they were read");
    }
  }

  /**
   * Waits until it is recorded where reading begins, so that whoever takes over begins there, too.
   *
   * @return false if the run was stopped meanwhile
   */
  private boolean awaitBegun() throws InterruptedException {
    while (!stopped.isSet()) {
      StreamState known = client.state().streams().get(stream.name());
      if (known != null && !known.topic().isEmpty()) {
        return true;
      }
      stopped.await(Deadline.after(environment.clock(), settings.patience()));
    }
    return false;
  }

  private SortedMap<Integer, Long> next() {
    SortedMap<Integer, Long> next = new TreeMap<>();
    lock.lock();
    try {
      partitions.forEach((number, progress) -> next.put(number, progress.next()));
    } finally {
      lock.unlock();
    }
    return next;
  }

  /** Sends records, those of each partition on a thread of their own, and waits for all. */
  private void take(List<StreamRecord> records, StreamFormat format) throws InterruptedException {
    SortedMap<Integer, List<StreamRecord>> byPartition = new TreeMap<>();
    records.forEach(
        record ->
            byPartition
                .computeIfAbsent(record.partition(), fresh -> new ArrayList<>())
                .add(record));
    List<Part> parts = new ArrayList<>();
    byPartition.forEach((number, some) -> parts.add(new Part(number, some, format)));
    parts.stream()
        .skip(1)
        .forEach(part -> environment.threads().start("stream " + stream.name(), part::run));
    if (!parts.isEmpty()) {
      parts.getFirst().run();
    }
    for (Part part : parts) {
      part.await();
    }
    for (Part part : parts) {
      part.rethrow();
    }
  }

  /** Records of one partition on their way. */
  private final class Part {
    private final int number;
    private final List<StreamRecord> records;
    private final StreamFormat format;
    private final Signal ended = environment.threads().signal();
    private Optional<RuntimeException> thrown = Optional.empty();

    Part(int number, List<StreamRecord> records, StreamFormat format) {
      this.number = number;
      this.records = records;
      this.format = format;
    }

    void run() {
      try {
        send();
      } catch (RuntimeException e) {
        thrown = Optional.of(e);
      } finally {
        ended.set();
      }
    }

    /** Sends what can be read; a record that cannot stops the stream, or is noted then. */
    private void send() {
      List<RowSender.Row> rows = new ArrayList<>();
      SortedMap<Long, String> unreadable = new TreeMap<>();
      for (StreamRecord record : records) {
        try {
          rows.add(new RowSender.Row(record.offset(), format.row(record.value())));
        } catch (UniserveException e) {
          unreadable.put(record.offset(), e.getMessage());
          if (definition.onBad() == OnBad.STOP) {
            break;
          }
        }
      }
      sendRows(rows);
      unreadable.forEach(this::refused);
      done(records.getLast().offset() + 1);
    }

    private void sendRows(List<RowSender.Row> rows) {
      if (rows.isEmpty()) {
        return;
      }
      Sent sent = new Sent();
      while (!stopped.isSet()) {
        try {
          sender.send(number, rows.subList(sent.count(rows), rows.size()), this::refused);
          done(rows.getLast().offset() + 1);
          return;
        } catch (UniserveException e) {
          sent.note();
          waitOrFail(e);
        }
      }
      throw new UniserveException(ErrorCode.CANCELLED, "the stream is not read here any more");
    }

    /** The rows that are done with when some of a batch have been refused. */
    private final class Sent {
      private long next;

      void note() {
        next = next().getOrDefault(number, 0L);
      }

      int count(List<RowSender.Row> rows) {
        return (int) rows.stream().filter(row -> row.offset() < next).count();
      }
    }

    private void waitOrFail(UniserveException trouble) {
      ErrorCode code = trouble.code();
      if (code == ErrorCode.UNSUPPORTED || code == ErrorCode.FORBIDDEN) {
        throw new FinalException(String.valueOf(trouble.getMessage()));
      }
      try {
        pause(trouble);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
      }
    }

    private void refused(long offset, String why) {
      String what = "record " + offset + " of partition " + number + ": " + shortened(why);
      if (definition.onBad() == OnBad.STOP) {
        throw new FinalException(what);
      }
      LOG.debug("stream {} skips {}", stream.name(), what);
      lock.lock();
      try {
        partitions.get(number).skippedOne();
        partitions.get(number).done(offset + 1);
        skipped.add(new SkippedRecord(number, offset, shortened(why)));
        if (skipped.size() > StreamState.SKIPPED_MAX) {
          skipped.removeFirst();
        }
      } finally {
        lock.unlock();
      }
    }

    private void done(long next) {
      lock.lock();
      try {
        partitions.get(number).done(next);
      } finally {
        lock.unlock();
      }
    }

    void await() throws InterruptedException {
      while (!ended.isSet()) {
        ended.await(Deadline.after(environment.clock(), settings.timeout()));
      }
    }

    void rethrow() {
      thrown.ifPresent(
          e -> {
            throw e;
          });
    }
  }

  private static String shortened(String why) {
    return why.length() > WHY_MAX ? Excerpt.of(why.substring(0, WHY_MAX)) : why;
  }
}
