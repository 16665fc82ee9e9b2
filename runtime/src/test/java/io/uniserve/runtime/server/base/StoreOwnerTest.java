package io.uniserve.runtime.server.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.directory.DirectoryStore;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreOwnerTest {
  @TempDir Path directory;

  private ActorBackups backups;
  private Environment environment;

  /** The control log, of which the first server hears late. */
  private ClusterState decided =
      named(Replay.apply(ClusterState.EMPTY, new ControlRecord.ClusterFounded("c")), "first");

  private ClusterState heard = decided;
  private StoreOwner writer;

  @BeforeEach
  void write() throws Exception {
    StillClock clock = new StillClock();
    environment = ProcessFixture.environment(clock, directory, new StillTransport());
    backups =
        new ActorBackups(
            new DirectoryStore(environment.storage(), clock, environment.random()), environment);
    writer = owner("s1", () -> heard = decided);
    writer.look();
    assertThat(writer.acts()).isTrue();
  }

  private StoreOwner owner(String server, Runnable catchUp) {
    return new StoreOwner(
        environment,
        server,
        backups.owners(),
        () -> server.equals("s1") ? heard : decided,
        () -> true,
        catchUp);
  }

  private static ClusterState named(ClusterState state, String name) {
    return Replay.apply(state, new ControlRecord.OwnerNamed(name));
  }

  @Test
  void whoHearsLateOfANameOfItsOwnClusterDoesNotObject() {
    decided = named(decided, "second");
    owner("s2", () -> {}).look();
    writer.look();
    assertThat(backups.owners().look("c").claims()).contains("second");
    assertThat(backups.owners().look("c").objections()).isEmpty();
  }

  @Test
  void whoHearsOfNoControllerObjectsToNothing() {
    writer =
        owner(
            "s1",
            () -> {
              throw new UniserveException(ErrorCode.UNAVAILABLE, "no controller decides");
            });
    writer.look();
    decided = named(decided, "second");
    owner("s2", () -> {}).look();
    writer.look();
    assertThat(backups.owners().look("c").objections()).isEmpty();
  }

  @Test
  void aNameThatTheControlLogDoesNotHaveIsObjectedTo() {
    ClusterState own = decided;
    decided = named(decided, "foreign");
    owner("s2", () -> {}).look();
    decided = own;
    writer.look();
    assertThat(backups.owners().look("c").objections()).containsExactly("foreign");
  }

  @Test
  void aServerThatHasEndedIsNotRecordedAgain() {
    assertThat(backups.owners().look("c").present()).hasSize(1);

    writer.close();
    writer.look();

    assertThat(backups.owners().look("c").present()).isEmpty();
  }
}
