package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.Session;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that are used again. */
class ReadersTest {
  private static final String FAR = "SELECT count(*) FROM book WHERE id > 1000000";
  private static final String FAR_TOO =
      "INSERT INTO book (id, title) VALUES (2000000, 'The Library of Babel')";

  private final List<Integer> closed = new ArrayList<>();

  @TempDir private Path directory;
  private LocalTable<WarehouseActor> table;
  private LiveWarehouse actor;

  @BeforeEach
  void open() throws IOException {
    table = Library.open(1, directory.resolve("library"));
    actor = (LiveWarehouse) table.actor(0);
  }

  @AfterEach
  void close() {
    table.close();
  }

  /**
   * Checks that a statement which was planned when no row could match is not reused after one can.
   */
  @Test
  void theSameQuerySeesWhatWasCommittedSince() {
    assertThat(Count.of(actor, FAR)).isZero();
    assertThat(Count.of(actor, FAR)).as("planned before").isZero();
    actor.prepare(change -> change.rewrite(FAR_TOO, FAR_TOO));
    assertThat(Count.of(actor, FAR)).as("not committed yet").isZero();
    actor.commit();
    assertThat(Count.of(actor, FAR)).isEqualTo(1);
    assertThat(Count.of(actor, FAR)).isEqualTo(1);
  }

  @Test
  void afterAQueryThatFailedOthersRun() {
    String fails = "SELECT sum(CAST(title AS INTEGER)) FROM book";
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> Count.of(actor, fails)).isInstanceOf(UniserveException.class);
      assertThat(Count.of(actor, "SELECT count(*) FROM book")).isEqualTo(40);
    }
  }

  /** A session is kept with its transaction. Whoever watched it may have told it to end. */
  @Test
  void noSessionIsKeptWhoseQueryIsOver() {
    String transaction = "SELECT txid_current()";
    long kept = Count.of(actor, transaction);
    assertThat(Count.of(actor, transaction)).isEqualTo(kept);
    Thread asks = Thread.currentThread();
    Unhurried over =
        new Unhurried() {
          @Override
          public boolean cancelled() {
            return Thread.currentThread() == asks; // and not yet to who watches
          }
        };
    assertThat(actor.query(List.of(), transaction, over, rows -> {})).isEqualTo(1);
    assertThat(Count.of(actor, transaction)).isNotEqualTo(kept);
  }

  @Test
  void moreStatementsThanASessionKeeps() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 40; i++) {
        assertThat(Count.of(actor, "SELECT count(*) + " + i + " FROM book")).isEqualTo(40 + i);
      }
    }
  }

  /** DuckDB empties its log only if nobody reads what was before. */
  @Test
  void whoIsIdleReadsNothingThatWasReplaced() throws IOException {
    Count.of(actor, FAR);
    for (String change : List.of(FAR_TOO, "UPDATE book SET pages = 1", "DELETE FROM book")) {
      actor.prepare(with -> with.rewrite(change, change));
      actor.commit();
      Count.of(actor, FAR);
      Path written = Files.createDirectory(directory.resolve("written " + change.hashCode()));
      actor.serialize(written);
      assertThat(written)
          .isDirectoryContaining(file -> file.toString().endsWith(".duckdb"))
          .isDirectoryNotContaining(file -> file.toString().endsWith(".wal"));
    }
    assertThat(Count.of(actor, FAR)).isZero();
  }

  @Test
  void asManyAreKeptAsMayBeIdle() throws SQLException {
    Readers readers = new Readers(2);
    for (int number = 0; number < 3; number++) {
      readers.keep(session(number), 0);
    }
    assertThat(closed).containsExactly(2);
    assertThat(readers.take(0)).isPresent();
    assertThat(readers.take(0)).isPresent();
    assertThat(readers.take(0)).isEmpty();
    assertThat(closed).containsExactly(2);
  }

  @Test
  void whatSeesAnEarlierVersionIsClosed() throws SQLException {
    Readers readers = new Readers(2);
    readers.keep(session(0), 0);
    assertThat(readers.take(1)).as("of a version to come").isEmpty();
    readers.retire(1);
    readers.keep(session(1), 0);
    assertThat(closed).containsExactly(0, 1);
    assertThat(readers.take(0)).isEmpty();
    assertThat(readers.take(1)).isEmpty();
  }

  @Test
  void afterTheEndNoneIsKept() throws SQLException {
    Readers readers = new Readers(2);
    readers.keep(session(0), 0);
    readers.close();
    readers.keep(session(1), 0);
    assertThat(closed).containsExactly(0, 1);
  }

  /** One that can only be closed, which is noted. */
  private Session session(int number) {
    return (Session)
        Proxy.newProxyInstance(
            ReadersTest.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("close");
              closed.add(number);
              return null;
            });
  }
}
