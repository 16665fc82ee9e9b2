package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.stream.StreamSettings;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamDefinition.OnBad;
import io.uniserve.runtime.wire.stream.StreamDefinition.Start;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import io.uniserve.simulation.model.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The work with one stream: somebody appends records to its topic, processes that may crash read
 * it, and an administrator pauses, ends, describes anew and resumes it now and then.
 */
public final class StreamWork {
  private static final String STREAM = "operations";
  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final int RECORDS_AT_ONCE_MAX = 5;
  private static final int PAUSE_MILLIS_MAX = 150;
  private static final int MEDDLES_ONE_IN = 25;
  private static final StreamDefinition DEFINITION =
      new StreamDefinition(
          STREAM,
          ClusterShape.TABLE,
          Topic.KIND,
          "nowhere",
          "operations",
          Topic.FORMAT,
          Start.EARLIEST,
          OnBad.STOP);

  private final Topic topic = new Topic();
  private final Workload.Numbers numbers;
  private final Witness witness;
  private volatile boolean stopping;

  /**
   * @param numbers the numbers of all operations of the run
   * @param witness hears of the records, none of which is acknowledged
   */
  public StreamWork(Workload.Numbers numbers, Witness witness) {
    this.numbers = numbers;
    this.witness = witness;
  }

  /** Returns the records of each partition, in their order. */
  public List<List<Operation>> records() {
    return topic.records();
  }

  /** Makes a process ready to read the stream, for its life. */
  public void read(Environment environment, ClusterClient client, String process) {
    client.readStreams(
        new StreamSettings(
            Map.of(Topic.KIND, topic.kind(environment)),
            Map.of(Topic.FORMAT, Topic.format()),
            Map.of(),
            Duration.ofMillis(300),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofSeconds(4)),
        process);
  }

  /** Begins to append records, and to see to it that the stream is there and goes on. */
  public void start(Environment environment, ClusterClient client) {
    environment.threads().start("producer", () -> produce(environment));
    environment.threads().start("streams' administrator", () -> administer(environment, client));
  }

  /** Appends no further records, and leaves the stream to be read. */
  public void stop() {
    stopping = true;
  }

  /** Returns whether every record that will ever be is stored, as far as cluster state knows. */
  public boolean done(ClusterState state) {
    StreamState stream = state.streams().get(STREAM);
    return stopping && stream != null && topic.isRead(stream);
  }

  private void produce(Environment environment) {
    RandomGenerator random = environment.random();
    while (!stopping) {
      for (int i = random.nextInt(1, RECORDS_AT_ONCE_MAX + 1); i > 0; i--) {
        Operation operation = new Operation(random.nextLong(Workload.KEYS), numbers.next());
        witness.begun("topic", "record-" + operation.number(), List.of(operation));
        topic.append(operation, random);
      }
      pause(environment, random.nextInt(PAUSE_MILLIS_MAX));
    }
  }

  /** Whatever becomes of a request, the stream is there and is read sooner or later. */
  private void administer(Environment environment, ClusterClient client) {
    RandomGenerator random = environment.random();
    while (true) {
      try {
        StreamState stream = client.state().streams().get(STREAM);
        if (stream == null || stream.status() != Status.RUNNING) {
          client.admin().putStream(DEFINITION, false, TIMEOUT);
        } else if (!stopping && random.nextInt(MEDDLES_ONE_IN) == 0) {
          meddle(client, stream, random);
        }
      } catch (UniserveException e) {
        if (!e.retryable() && e.code() != ErrorCode.NOT_FOUND) {
          throw e;
        }
      }
      pause(environment, random.nextInt(PAUSE_MILLIS_MAX));
    }
  }

  private void meddle(ClusterClient client, StreamState stream, RandomGenerator random) {
    switch (random.nextInt(3)) {
      case 0 -> client.admin().pauseStream(STREAM, true, TIMEOUT);
      case 1 -> client.admin().endStream(STREAM, TIMEOUT);
      default ->
          client
              .admin()
              .putStream(
                  new StreamDefinition(
                      STREAM,
                      ClusterShape.TABLE,
                      Topic.KIND,
                      "nowhere " + random.nextInt(),
                      "operations",
                      Topic.FORMAT,
                      // Where it begins says nothing once it has begun, and leaves records out
                      // before.
                      topic.isBegun(stream) ? Start.LATEST : Start.EARLIEST,
                      OnBad.STOP),
                  random.nextBoolean(),
                  TIMEOUT);
    }
  }

  private static void pause(Environment environment, long millis) {
    try {
      environment.clock().sleep(Duration.ofMillis(millis));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a workload", e);
    }
  }
}
