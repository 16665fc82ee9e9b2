package io.uniserve.runtime.control.copies;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.control.reshape.ReshapeFixture;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRetiring;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of copies that answer no reads any more. */
@Timeout(60)
class RetiredCopiesTest extends ReshapeFixture {
  private static final ActorId MOVED = new ActorId(2, 0);

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  /** Gives an actor two readable copies, on s1 and s3, and one on s2 that retires. */
  private Repairs withRetiringCopy(ControlRecord... before) {
    TableDefinition table =
        new TableDefinition(
            "two", StillEngine.NAME, new Partitioner.Hash(1), 2, Durability.NONE, Map.of());
    record(
        new ServerJoined("s3", new Address("s3"), 1),
        new ControlRecord.TableCreated(2, table, List.of(List.of("s1", "s2"))),
        new CopyReady(MOVED, "s1"),
        new CopyReady(MOVED, "s2"));
    if (before.length > 0) {
      record(before);
    }
    record(
        new CopyAdded(MOVED, "s3", "the test"),
        new CopyReady(MOVED, "s3"),
        new CopyRetiring(MOVED, "s2", "the test"));
    return new Repairs(
        decisions,
        load -> {
          throw new UnsupportedOperationException("no copy is placed");
        },
        server -> false,
        new Separations(environment, decisions, ControllerSettings.DEFAULT),
        new HandOvers(environment, decisions, ControllerSettings.DEFAULT, elections, id -> {}));
  }

  private Optional<CopyState.Status> retired(Repairs repairs) {
    return decide(
        () -> {
          repairs.retired(MOVED, "s2");
          return decisions.state().actor(MOVED).orElseThrow().copyOn("s2").map(CopyState::status);
        });
  }

  @Test
  void oneThatIsNotNeededIsRemoved() {
    assertThat(retired(withRetiringCopy())).isEmpty();
  }

  /**
   * A move that left it retiring was cancelled, and another copy is to go now (placement 7000104).
   */
  @Test
  void oneThatIsNeededOnceAnotherHasMovedIsLoadedAgain() {
    Repairs repairs = withRetiringCopy(new MoveRequested(MOVED, "s1", "s3", "the test"));
    assertThat(retired(repairs)).contains(CopyState.Status.LOADING);
  }
}
