package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.UpdateOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Updates that wait, of more actors than a server has threads for updates. */
@Timeout(120)
class WaitingUpdatesTest {
  private static final int ACTORS = 4;
  private static final long PATIENCE_SECONDS = 5;

  @TempDir private Path directory;

  /** An engine whose actors wait for each other in every update. */
  private static final class MeetingEngine implements Engine<Guest> {
    private final CyclicBarrier meeting = new CyclicBarrier(ACTORS);

    @Override
    public String name() {
      return "meeting";
    }

    @Override
    public Guest create(ActorContext context) {
      return new Guest(meeting);
    }

    @Override
    public Guest deserialize(ActorContext context) {
      return new Guest(meeting);
    }

    @Override
    public boolean updatesWait() {
      return true;
    }

    @Override
    public List<Class<? extends Record>> types() {
      return List.of(Meet.class, Name.class);
    }
  }

  /** An actor without data. */
  private static final class Guest implements Actor {
    private final CyclicBarrier meeting;

    private Guest(CyclicBarrier meeting) {
      this.meeting = meeting;
    }

    private void meet() {
      try {
        meeting.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      } catch (BrokenBarrierException | TimeoutException e) {
        throw new IllegalStateException("the others have not come", e);
      }
    }

    @Override
    public void serialize(Path empty) {
      // there is nothing to write
    }

    @Override
    public Usage usage() {
      return Usage.NONE;
    }

    @Override
    public void close() {
      // there is nothing to close
    }
  }

  /** A record, which no update has. */
  record Name(String name) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(name);
    }
  }

  /** An update that ends once all actors have begun it. */
  record Meet() implements UpdateFunction.Ordered<Guest, Name> {
    @Override
    public Answer update(Guest guest, List<Name> none) {
      guest.meet();
      return Answer.NONE;
    }
  }

  @Test
  void allActorsOfAServerWithOneThreadForUpdatesWaitAtOnce() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 1, List.of(new MeetingEngine()), Optional.empty())
                .withWorkers(1))) {
      cluster
          .client()
          .createTable(
              new TableDefinition(
                  "guests",
                  "meeting",
                  new Partitioner.Hash(ACTORS),
                  1,
                  Durability.NONE,
                  Consistency.ORDERED,
                  Map.of()),
              Duration.ofSeconds(30));
      assertThat(
              cluster
                  .client()
                  .updateAll("guests", new Meet(), UpdateOptions.ALL_COPIES)
                  .positions())
          .hasSize(ACTORS);
    }
  }
}
