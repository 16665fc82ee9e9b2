package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.backends.duckdb.DuckBackend;
import io.uniserve.sql.backend.ActorDatabase;
import io.uniserve.sql.backend.Backend;
import io.uniserve.sql.backend.Session;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of an actor whose database fails while it ends a transaction. */
class FailedCommitTest {
  private static final String ADDS = "INSERT INTO book (id, title) VALUES (%d, 'The Aleph')";
  private static final String HOW_MANY = "SELECT count(*) FROM book";

  @TempDir private Path directory;
  private Fault next = Fault.NONE;

  /** The ways in which a commit or a rollback fails. */
  private enum Fault {
    NONE,
    NOTHING_IS_STORED,
    ALL_IS_STORED
  }

  private LocalTable<WarehouseActor> open() throws IOException {
    Backend backend = faulty(Backend.class, new DuckBackend());
    return Library.openPlain(
        new WarehouseEngine("faulty", backend) {}, 1, directory.resolve("library"));
  }

  /** A port whose sessions fail as told. */
  private <T> T faulty(Class<T> port, T real) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          boolean ends = method.getName().equals("commit") || method.getName().equals("rollback");
          if (ends && next != Fault.NONE) {
            if (next == Fault.NOTHING_IS_STORED) {
              ((Session) real).rollback();
            } else {
              call(method, real, arguments);
            }
            throw new SQLException("IO Error: could not write: No space left on device");
          }
          return switch (call(method, real, arguments)) {
            case ActorDatabase database -> faulty(ActorDatabase.class, database);
            case Session session -> faulty(Session.class, session);
            case null -> null;
            case Object other -> other;
          };
        };
    return port.cast(
        Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {port}, handler));
  }

  private static Object call(Method method, Object real, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void add(WarehouseActor actor, long id) {
    String sql = ADDS.formatted(id);
    ((LiveWarehouse) actor).prepare(change -> change.rewrite(sql, sql));
    ((LiveWarehouse) actor).commit();
  }

  @ParameterizedTest
  @EnumSource(names = {"NOTHING_IS_STORED", "ALL_IS_STORED"})
  void aFailedCommitIsNoRefusalAndNothingIsChangedAfterwards(Fault fault) throws IOException {
    try (LocalTable<WarehouseActor> table = open()) {
      WarehouseActor actor = table.actor(0);
      add(actor, 1_000_000);
      assertThat(actor.failed()).isFalse();
      next = fault;
      assertThatThrownBy(() -> add(actor, 2_000_000))
          .isNotInstanceOf(UniserveException.class)
          .hasMessageContaining("may be changed or not")
          .hasMessageContaining("No space left");
      next = Fault.NONE;
      assertThat(actor.failed()).isTrue();
      long stored = fault == Fault.ALL_IS_STORED ? 42 : 41;
      assertThat(Count.of(actor, HOW_MANY)).isEqualTo(stored);
      for (long id = 3_000_000; id < 3_000_060; id++) {
        long later = id;
        assertThatThrownBy(() -> add(actor, later))
            .isNotInstanceOf(UniserveException.class)
            .hasMessageContaining("in an unknown state");
      }
      assertThat(Count.of(actor, HOW_MANY)).isEqualTo(stored);
    }
  }

  @Test
  void aFailedRollbackIsNoRefusalEither() throws IOException {
    try (LocalTable<WarehouseActor> table = open()) {
      WarehouseActor actor = table.actor(0);
      String wrong = "INSERT INTO book (id, title) VALUES (1000000, CAST('x' AS INTEGER))";
      next = Fault.ALL_IS_STORED;
      assertThatThrownBy(
              () -> ((LiveWarehouse) actor).prepare(change -> change.rewrite(wrong, wrong)))
          .isNotInstanceOf(UniserveException.class);
      next = Fault.NONE;
      assertThat(actor.failed()).isTrue();
    }
  }

  /** Checks that an earlier checkpoint can be opened again and takes updates. */
  @Test
  void theActorIsOpenedAgainFromItsLastCheckpoint() throws IOException {
    Path written = Files.createDirectory(directory.resolve("written"));
    try (LocalTable<WarehouseActor> table = open()) {
      add(table.actor(0), 1_000_000);
      table.serialize(written.resolve("table"));
      next = Fault.NOTHING_IS_STORED;
      assertThatThrownBy(() -> add(table.actor(0), 2_000_000)).isNotNull();
      next = Fault.NONE;
    }
    try (LocalTable<WarehouseActor> again =
        LocalTable.deserialize(
            new WarehouseEngine(),
            Library.definition(1),
            written.resolve("table"),
            directory.resolve("again"))) {
      add(again.actor(0), 2_000_000);
      assertThat(Count.of(again.actor(0), HOW_MANY)).isEqualTo(42);
    }
  }
}
