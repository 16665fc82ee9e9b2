package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.stream.StreamFormat;
import io.uniserve.runtime.client.stream.StreamRecord;
import io.uniserve.runtime.client.stream.StreamSource;
import io.uniserve.runtime.client.stream.StreamSourceKind;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.simulation.model.ModelPlanner;
import io.uniserve.simulation.model.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A topic outside of the cluster, whose records are operations. It keeps all of them, and now and
 * then it cannot be reached. Offsets have gaps, as those of transactions of Kafka do.
 */
public final class Topic {
  static final String KIND = "topic";
  static final String FORMAT = "operation";
  private static final int PARTITIONS = 3;
  private static final int OFFSETS_APART = 2;
  private static final int READ_MAX = 6;
  private static final int UNREACHABLE_ONE_IN = 20;

  private final List<List<Operation>> partitions = new ArrayList<>();

  /** Creates a topic without records. */
  public Topic() {
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new ArrayList<>());
    }
  }

  /** Returns the records of each partition, in their order. */
  public List<List<Operation>> records() {
    return partitions.stream().map(List::copyOf).toList();
  }

  void append(Operation operation, RandomGenerator random) {
    partitions.get(random.nextInt(PARTITIONS)).add(operation);
  }

  /** Returns whether a stream has stored all records, as far as cluster state knows. */
  boolean isRead(StreamState stream) {
    for (int number = 0; number < PARTITIONS; number++) {
      int records = partitions.get(number).size();
      long next = stream.partition(number).map(one -> one.next()).orElse(0L);
      if (records > 0 && next <= (long) (records - 1) * OFFSETS_APART) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a stream has begun to read every partition, as far as cluster state knows. */
  boolean isBegun(StreamState stream) {
    return stream.partitions().size() == PARTITIONS;
  }

  /** Returns the format of the records. */
  static StreamFormat format() {
    return value -> {
      String[] parts = new String(value, StandardCharsets.UTF_8).split("/");
      return Map.of(
          ModelPlanner.KEY, Long.valueOf(parts[0]), ModelPlanner.NUMBER, Long.valueOf(parts[1]));
    };
  }

  /** Returns the topic as a process finds it. */
  StreamSourceKind kind(Environment environment) {
    return new StreamSourceKind() {
      @Override
      public String name() {
        return KIND;
      }

      @Override
      public void validate(StreamDefinition definition) {
        // there is one topic
      }

      @Override
      public StreamSource open(StreamDefinition definition, Map<String, String> properties) {
        return new Reading(environment);
      }
    };
  }

  /** A reading of the topic by one process. */
  private final class Reading implements StreamSource {
    private final Environment environment;
    private final SortedMap<Integer, Long> next = new TreeMap<>();

    Reading(Environment environment) {
      this.environment = environment;
    }

    private void perhapsUnreachable() {
      if (environment.random().nextInt(UNREACHABLE_ONE_IN) == 0) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, "the topic cannot be reached");
      }
    }

    @Override
    public String identity() {
      perhapsUnreachable();
      return "the topic";
    }

    @Override
    public SortedMap<Integer, Bounds> partitions() {
      perhapsUnreachable();
      SortedMap<Integer, Bounds> bounds = new TreeMap<>();
      for (int number = 0; number < PARTITIONS; number++) {
        bounds.put(
            number, new Bounds(0, (long) Topic.this.partitions.get(number).size() * OFFSETS_APART));
      }
      return bounds;
    }

    @Override
    public void seek(Map<Integer, Long> offsets) {
      next.clear();
      next.putAll(offsets);
    }

    @Override
    public List<StreamRecord> read(Duration patience) {
      perhapsUnreachable();
      List<StreamRecord> records = new ArrayList<>();
      next.replaceAll((number, offset) -> readSome(number, offset, records));
      if (records.isEmpty()) {
        sleep(patience);
      }
      return records;
    }

    /** Reads some records of a partition from an offset; returns the offset to go on from. */
    private long readSome(int number, long offset, List<StreamRecord> records) {
      List<Operation> all = Topic.this.partitions.get(number);
      int from = (int) ((offset + OFFSETS_APART - 1) / OFFSETS_APART);
      int to = Math.min(all.size(), from + environment.random().nextInt(READ_MAX + 1));
      for (int i = from; i < to; i++) {
        Operation operation = all.get(i);
        String text = operation.key() + "/" + operation.number();
        records.add(
            new StreamRecord(
                number, (long) i * OFFSETS_APART, text.getBytes(StandardCharsets.UTF_8)));
      }
      return Math.max(offset, (long) to * OFFSETS_APART);
    }

    private void sleep(Duration duration) {
      try {
        environment.clock().sleep(duration);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts a workload", e);
      }
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
