package io.uniserve.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.TableStatement.Create;
import io.uniserve.sql.syntax.TableStatement.CreateAs;
import io.uniserve.sql.syntax.TableStatement.Drop;
import io.uniserve.sql.syntax.TableStatement.Spread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableStatementTest {
  private static final Spread UNSAID = new Spread(false, List.of());

  @Test
  void readsColumnsKeyAndSpread() {
    String sql =
        """
        CREATE TABLE IF NOT EXISTS Shop."sales" ( -- of a year
          id BIGINT, region varchar(20) NOT NULL, amount Decimal (10 , 2) NULL,
          /* by day */ day date, at TIMESTAMP(6), weight double precision, flag boolean,
          n smallint, note character varying,
          CONSTRAINT pk PRIMARY KEY (id, region)
        ) PARTITION BY (region);
        """;
    assertThat(TableStatement.isOne(sql)).isTrue();
    assertThat(TableStatement.of(sql))
        .isEqualTo(
            new Create(
                Optional.of("shop"),
                "sales",
                true,
                List.of(
                    column("id", "bigint", false),
                    column("region", "varchar", false),
                    column("amount", "decimal(10,2)", true),
                    column("day", "date", true),
                    column("at", "timestamp", true),
                    column("weight", "double", true),
                    column("flag", "boolean", true),
                    column("n", "integer", true),
                    column("note", "varchar", true)),
                List.of("id", "region"),
                new Spread(false, List.of("region"))));
  }

  private static SqlColumn column(String name, String type, boolean nullable) {
    return new SqlColumn(name, SqlType.of(type), nullable);
  }

  @Test
  void readsHowRowsAreSpread() {
    assertThat(create("create table t (a int)").spread()).isEqualTo(UNSAID);
    assertThat(create("create table t (a int) replicated").spread())
        .isEqualTo(new Spread(true, List.of()));
    assertThat(create("create table t (a int, b int) partition by b").spread())
        .isEqualTo(new Spread(false, List.of("b")));
  }

  @Test
  void aKeyOfOneColumnMayStandBesideIt() {
    Create create = create("create table t (a int primary key, b int)");
    assertThat(create.primaryKey()).containsExactly("a");
    assertThat(create.columns()).extracting(SqlColumn::nullable).containsExactly(false, true);
  }

  private static Create create(String sql) {
    return (Create) TableStatement.of(sql);
  }

  @Test
  void leavesAQueryWhereItIs() {
    String sql = "create table t\n  replicated as select 'as -- x' as x";
    CreateAs create = (CreateAs) TableStatement.of(sql);
    assertThat(create.spread()).isEqualTo(new Spread(true, List.of()));
    assertThat(create.query().strip()).isEqualTo("select 'as -- x' as x");
    assertThat(create.query()).hasSameSizeAs(sql);
    assertThat(create.query().indexOf('\n')).isEqualTo(sql.indexOf('\n'));
  }

  @Test
  void readsADrop() {
    assertThat(TableStatement.of("drop table if exists a.b"))
        .isEqualTo(new Drop(Optional.of("a"), "b", true));
    assertThat(TableStatement.of(" DROP TABLE \"T\" ; "))
        .isEqualTo(new Drop(Optional.empty(), "t", false));
  }

  @Test
  void saysWhatIsWrongAndWhere() {
    Map.of(
            "create table t", "line 1, column 15: 'the end' where ( or AS is expected",
            "create table t (a int", "'the end' where ) is expected",
            "create table t (a)", "column 18: ')' where the type of a column is expected",
            "create table t (a int,\n a int)", "line 2, column 2: Column 'a' twice",
            "create table t (a money)", "line 1, column 19: 'money' is no type of a column",
            "create table t (a int primary key, primary key (a))", "a second PRIMARY KEY",
            "create table 5 (a int)", "line 1, column 14: '5' where a name is expected")
        .forEach(
            (sql, message) ->
                assertThatThrownBy(() -> TableStatement.of(sql))
                    .isInstanceOf(UniserveException.class)
                    .hasMessageContaining(message));
  }

  @Test
  void refusesByNameWhatThereIsNot() {
    Map<String, String> refused =
        Map.ofEntries(
            Map.entry("create view v as select 1", "CREATE VIEW"),
            Map.entry("create temporary table t (a int)", "CREATE TEMPORARY"),
            Map.entry("create index i on t (a)", "CREATE INDEX"),
            Map.entry("create schema s", "CREATE SCHEMA"),
            Map.entry("create table t (a int default 1)", "DEFAULT of a column"),
            Map.entry("create table t (a int unique)", "UNIQUE of a column"),
            Map.entry("create table t (a int, check (a > 1))", "CHECK"),
            Map.entry("create table t (a int, foreign key (a) references u (b))", "FOREIGN"),
            Map.entry("create table t (a int) with (x = 1)", "WITH"),
            Map.entry("create table t (a int) as select 1 as a", "both columns and AS"),
            Map.entry("alter table t add column b int", "ALTER"),
            Map.entry("drop table a, b", ","),
            Map.entry("drop table a cascade", "CASCADE"),
            Map.entry("drop view v", "DROP VIEW"));
    refused.forEach(
        (sql, construct) ->
            assertThatThrownBy(() -> TableStatement.of(sql))
                .as(sql)
                .isInstanceOfSatisfying(
                    UniserveException.class,
                    e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining(construct + ": a table is made of columns"));
  }

  @Test
  void saysWhatToDoInsteadWhereThereIsSomething() {
    assertThatThrownBy(() -> TableStatement.of("truncate table t"))
        .hasMessageContaining("TRUNCATE: delete its rows by DELETE FROM");
    assertThatThrownBy(() -> TableStatement.of("create or replace table t (a int)"))
        .hasMessageContaining("CREATE OR REPLACE: drop what there is first");
  }
}
