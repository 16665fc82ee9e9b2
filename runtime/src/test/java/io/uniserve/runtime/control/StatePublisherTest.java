package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.ControlMessage.StateReload;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.Replay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The messages to a subscriber, also after records are no longer kept. */
@Timeout(60)
class StatePublisherTest {
  private static final int MORE_THAN_KEPT = StatePublisher.KEPT_MAX + 2_345;

  @TempDir Path directory;

  private final SystemClock clock = new SystemClock();
  private final List<ControlRecord> all = new ArrayList<>();
  private ClusterState state = ClusterState.EMPTY;
  private StatePublisher publication;

  @BeforeEach
  void begin() throws IOException {
    ProductionEnvironment environment =
        ProcessFixture.environment(
            clock, directory, new InProcessNetwork(clock).attach(new Address("controller")));
    publication = new StatePublisher(environment, Duration.ofSeconds(60), () -> true);
  }

  @AfterEach
  void close() {
    clock.close();
  }

  private void publish(int records) {
    for (int published = 0; published < records; ) {
      List<ControlRecord> some = new ArrayList<>();
      for (int i = 0; i < 7 && published < records; i++, published++) {
        ControlRecord next = new ServerJoined("s", new Address("s"), all.size() + 1);
        some.add(next);
        all.add(next);
        state = Replay.apply(state, next);
      }
      publication.publish(some, state);
    }
  }

  @Test
  void whoIsBehindGetsEveryRecordInOrder() throws InterruptedException {
    publish(MORE_THAN_KEPT);
    int oldest = MORE_THAN_KEPT - StatePublisher.KEPT_MAX;
    Subscriber subscriber = subscribe(oldest);
    assertThat(subscriber.records(oldest, StatePublisher.KEPT_MAX))
        .isEqualTo(all.subList(oldest, all.size()));
    publish(3);
    assertThat(subscriber.records(MORE_THAN_KEPT, 3))
        .isEqualTo(all.subList(MORE_THAN_KEPT, all.size()));
    subscriber.cancel();
  }

  @Test
  void whoIsFurtherBehindThanWhatIsKeptGetsTheState() throws InterruptedException {
    publish(MORE_THAN_KEPT);
    Subscriber subscriber = subscribe(MORE_THAN_KEPT - StatePublisher.KEPT_MAX - 1);
    assertThat(subscriber.next()).isEqualTo(new StateReload(state.snapshot()));
    publish(2);
    assertThat(subscriber.records(MORE_THAN_KEPT, 2))
        .isEqualTo(all.subList(MORE_THAN_KEPT, all.size()));
    subscriber.cancel();
  }

  @Test
  void ofAStateWithoutItsRecordsNoOlderOnesAreSent() throws InterruptedException {
    publish(10);
    for (int i = 0; i < 5; i++) {
      state = Replay.apply(state, new ServerJoined("s", new Address("s"), 100 + i));
    }
    publication.reload(state);
    Subscriber subscriber = subscribe(9);
    assertThat(subscriber.next()).isEqualTo(new StateReload(state.snapshot()));
    subscriber.cancel();
  }

  @Test
  void whatWasPublishedIsNotPublishedAgain() throws InterruptedException {
    publish(10);
    publication.publish(all.subList(4, 10), state);
    ControlRecord next = new ServerJoined("t", new Address("t"), 1);
    state = Replay.apply(state, next);
    all.add(next);
    publication.publish(
        all.subList(4, 11), state); // a controller that starts again comes to old ones
    Subscriber subscriber = subscribe(0);
    assertThat(subscriber.records(0, 11)).isEqualTo(all);
    subscriber.cancel();
  }

  private Subscriber subscribe(long after) {
    Subscriber subscriber = new Subscriber();
    publication.subscribe(new Subscribe("", after), subscriber);
    return subscriber;
  }

  /** A call whose answers are kept. */
  private final class Subscriber extends StillCaller {
    Subscriber() {
      super(clock);
    }

    /** Returns a number of records, in however many messages. */
    List<ControlRecord> records(long after, int count) throws InterruptedException {
      List<ControlRecord> records = new ArrayList<>();
      while (records.size() < count) {
        StateChanges changes = (StateChanges) next();
        assertThat(changes.afterVersion()).isEqualTo(after + records.size());
        assertThat(changes.records()).isNotEmpty();
        records.addAll(changes.records());
      }
      return records;
    }
  }
}
