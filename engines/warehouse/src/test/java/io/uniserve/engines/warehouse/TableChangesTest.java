package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that SQL makes and drops. */
class TableChangesTest {
  private static final TableDefinition EMPTY =
      new TableDefinition(
          "shop", "warehouse", new Partitioner.Hash(4), 1, Durability.NONE, Map.of());

  @TempDir private Path directory;
  private LocalTable<WarehouseActor> shop;

  @BeforeEach
  void open() throws IOException {
    shop = LocalTable.create(new WarehouseEngine(), EMPTY, directory.resolve("shop"));
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private List<String> run(String sql) {
    return StatementsTest.answer(shop, sql);
  }

  @Test
  void aTableIsMadeFilledReadAndDropped() {
    assertThat(
            run(
                "create table sales (id bigint primary key, region varchar, amount decimal(10,2),"
                    + " day date)"))
        .containsExactly("[0]");
    run("create table region (name varchar not null, head varchar) replicated");
    run(
        "insert into sales values (1, 'north', 10.50, date '2024-01-01'), (2, 'south', 3.25, null)");
    run("insert into sales values (1, 'north', 11.50, date '2024-01-01')");
    run("insert into region values ('north', 'Ann'), ('south', 'Bob')");
    assertThat(
            run(
                "select head, sum(amount) from sales join region on region = name group by head"
                    + " order by head"))
        .containsExactly("[Ann, 11.5]", "[Bob, 3.25]");
    assertThat(run("update sales set amount = amount * 2 where region = 'south'"))
        .containsExactly("[1]");
    assertThat(run("select amount from shop.sales order by id")).containsExactly("[11.5]", "[6.5]");
    run("drop table shop.sales");
    refused(ErrorCode.INVALID_ARGUMENT, "select * from sales", "'sales' not found");
    assertThat(run("select count(*) from region")).containsExactly("[2]");
  }

  @Test
  void whatIsThereAlreadyIsAsGoodIfTheStatementSaysSo() {
    run("create table t (a int, b int)");
    run("insert into t values (1, 2)");
    refused(ErrorCode.ALREADY_EXISTS, "create table T (x int)", "there is a table 't' already");
    assertThat(run("create table if not exists t (x int)")).containsExactly("[0]");
    assertThat(run("create table if not exists t as select 1 as x")).containsExactly("[0]");
    assertThat(run("select a, b from t")).containsExactly("[1, 2]");
    run("drop table t");
    refused(ErrorCode.NOT_FOUND, "drop table t", "there is no table 't'");
    assertThat(run("drop table if exists t")).containsExactly("[0]");
  }

  @Test
  void whatSaysNothingElseIsSpreadByItsKeyOrByItsFirstColumnThatCanBe() {
    run("create table by_key (a int, b varchar, c double, primary key (b, a))");
    run("create table by_first (a double, b decimal(5,2), c int, d varchar)");
    assertThat(WarehouseSchema.of(shop.definition()).tables().toString())
        .contains("name=by_key, stored=by_key#1")
        .contains("partitionBy=[a, b], primaryKey=[b, a]")
        .contains("name=by_first, stored=by_first#2")
        .contains("partitionBy=[c], primaryKey=[]");
  }

  @Test
  void rowsMayLackWhatTheyAreSpreadBy() {
    run("create table t (a int, b varchar)");
    run("create table u (a int, b varchar)");
    run("insert into t values (1, 'x'), (null, 'y'), (null, 'z'), (2, null)");
    run("insert into u values (1, 'X'), (null, 'Y'), (3, 'Z')");
    assertThat(run("select a, count(*) from t group by a order by a"))
        .containsExactly("[1, 1]", "[2, 1]", "[null, 2]");
    assertThat(run("select t.b, u.b from t join u on t.a = u.a")).containsExactly("[x, X]");
    assertThat(run("select t.b from t join u on t.a is not distinct from u.a order by 1"))
        .containsExactly("[x]", "[y]", "[z]");
    assertThat(run("select count(*) from t full join u on t.a = u.a")).containsExactly("[6]");
    assertThat(run("delete from t where a is null")).containsExactly("[2]");
  }

  @Test
  void aTableOfAQueryHasItsRowsAndTypes() {
    run("create table n (i int)");
    run("insert into n values (1), (2), (3), (4), (5)");
    assertThat(
            run(
                "create table twice as select i, i * 2 as d, cast(i as double) / 4 as q,"
                    + " sum(i) over () as s, date '2024-01-01' as day, 'x' || i as text from n"))
        .containsExactly("[5]");
    assertThat(run("select i, d, q, s, day, text from twice where i > 3 order by i"))
        .containsExactly("[4, 8, 1, 15, 2024-01-01, x4]", "[5, 10, 1.25, 15, 2024-01-01, x5]");
    assertThat(run("create table none as select i from n where i > 9")).containsExactly("[0]");
    assertThat(run("select count(*) from none")).containsExactly("[0]");
    assertThat(run("create table small replicated as select i from n")).containsExactly("[5]");
    assertThat(run("select count(*) from small join twice on small.i = twice.i"))
        .containsExactly("[5]");
    assertThat(WarehouseSchema.of(shop.definition()).building()).isEmpty();
  }

  @Test
  void aTableOfAQueryThatFailsIsNotThere() {
    run("create table n (i int)");
    run("insert into n values (1), (0)");
    refused(
        ErrorCode.INVALID_ARGUMENT,
        "create table bad as select cast('x' || i as int) as j, i from n",
        "");
    refused(ErrorCode.INVALID_ARGUMENT, "select * from bad", "'bad' not found");
    assertThat(WarehouseSchema.of(shop.definition()).building()).hasSize(1);
    assertThat(run("create table bad as select i from n")).containsExactly("[2]");
  }

  @Test
  void noTwoTablesThatEverWereAreStoredUnderOneName() {
    run("create table t (a int)");
    run("insert into t values (1)");
    TableDefinition before = shop.definition();
    run("drop table t");
    run("create table t (a int)");
    run("insert into t values (2)");
    assertThatThrownBy(() -> plan(before, "select a from t"))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("table 't' was dropped, or made anew, meanwhile");
    assertThatThrownBy(() -> plan(before, "insert into t values (3)"))
        .hasMessageContaining("table 't' was dropped, or made anew, meanwhile");
    assertThatThrownBy(() -> plan(before, "delete from t"))
        .hasMessageContaining("table 't' was dropped, or made anew, meanwhile");
    assertThat(run("select a from t")).containsExactly("[2]");
  }

  private Object plan(TableDefinition known, String sql) {
    return shop.query(new WarehousePlanner().plan(known, sql, Map.of()));
  }

  @Test
  void actorsRememberTheirTables() throws IOException {
    run("create table t (a int primary key, b varchar)");
    run("insert into t values (1, 'one'), (2, 'two')");
    run("create table gone (a int)");
    run("drop table gone");
    Path stored = directory.resolve("stored");
    shop.serialize(stored);
    try (LocalTable<WarehouseActor> again =
        LocalTable.deserialize(new WarehouseEngine(), EMPTY, stored, directory.resolve("again"))) {
      Redefinition.Found found = again.query(new SchemaChanges().look(EMPTY));
      assertThat(found.newest()).isEqualTo(shop.definition());
      assertThat(found.everywhere()).isTrue();
      again.query(
          new WarehousePlanner()
              .plan(found.newest(), "insert into t values (2, 'zwei'), (3, 'drei')", Map.of()));
      assertThat(
              again
                  .query(
                      new WarehousePlanner()
                          .plan(found.newest(), "select b from t order by a", Map.of()))
                  .toString())
          .contains("[[one], [zwei], [drei]]");
    }
  }

  @Test
  void anActorThatIsToldAnEarlierSchemaForgetsNothing() {
    run("create table t (a int primary key)");
    run("insert into t values (1), (2), (3), (4), (5), (6), (7), (8)");
    TableDefinition early = shop.definition();
    run("create table u (a int)");
    shop.updateAll(new SchemaChanges().become(early));
    assertThat(shop.query(new SchemaChanges().look(early)).newest()).isEqualTo(shop.definition());
    assertThat(run("select count(*) from t")).containsExactly("[8]");
    assertThat(run("select count(*) from u")).containsExactly("[0]");
  }

  @Test
  void refusesWhatNoTableCanBe() {
    run("create table n (i int)");
    Map<String, String> refused =
        Map.ofEntries(
            Map.entry("create table t (a double)", "no column that rows can be spread by"),
            Map.entry("create table t (a double, b int, primary key (a))", "of its key"),
            Map.entry("create table t (a int, primary key (b))", "no column 'b'"),
            Map.entry(
                "create table t (a int, b int, primary key (b)) partition by a",
                "primaryKey lacks columns"),
            Map.entry("create table t (a double) partition by a", "whole numbers, texts and dates"),
            Map.entry("create table other.t (a int)", "'other.t' is not in the warehouse"),
            Map.entry("create table t as select 1", "'1' is no name of a column"),
            Map.entry("create table t as select 1 as a, 2 as A", "Column 'a' twice"),
            Map.entry("create table t as select nosuch from n", "line 1, column 26: "),
            Map.entry("create table t as explain select 1 as a", "AS needs a query"),
            Map.entry("create table t as delete from n", "is no query"));
    refused.forEach(
        (sql, message) ->
            assertThatThrownBy(() -> run(sql))
                .as(sql)
                .isInstanceOf(UniserveException.class)
                .hasMessageContaining(message));
  }

  private void refused(ErrorCode code, String sql, String message) {
    assertThatThrownBy(() -> run(sql))
        .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }
}
