package io.uniserve.engines.warehouse;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.backends.duckdb.AskedTypes;
import io.uniserve.backends.duckdb.ClientStage;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery.Column;
import io.uniserve.sql.stages.StagePlan;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.whole.QueryPlans;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many small statements give on several actors what one DuckDB with all the data gives. */
@Execution(ExecutionMode.CONCURRENT)
public class StatementsTest {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE]-?\\d+)?");
  private static final MathContext DIGITS = new MathContext(12);
  private static LocalTable<WarehouseActor> one;
  private static List<LocalTable<WarehouseActor>> many;

  @TempDir static Path directory;

  @BeforeAll
  static void open() throws IOException {
    one = Library.open(1, directory.resolve("one"));
    many =
        List.of(
            one,
            Library.open(3, directory.resolve("three")),
            Library.open(11, directory.resolve("eleven")));
  }

  @AfterAll
  static void close() {
    many.forEach(LocalTable::close);
  }

  static Stream<String> statements() {
    return Stream.concat(lines("/sql/statements.sql"), lines("/sql/whole.sql"));
  }

  static Stream<String> refusals() {
    return lines("/sql/refused.sql");
  }

  /** The statements of a file. */
  public static Stream<String> lines(String resource) {
    try (InputStream in = StatementsTest.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines().filter(line -> !line.isBlank() && !line.startsWith("--")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("statements")
  void aStatementGivesWhatOneDatabaseGives(String sql) {
    List<String> expected = reference(sql);
    for (LocalTable<WarehouseActor> table : many) {
      check(table, sql, expected, new WarehousePlanner().plan(table.definition(), sql, Map.of()));
    }
    LocalTable<WarehouseActor> several = many.get(1);
    check(several, sql, expected, asIfLarge(several.definition(), sql));
    check(several, sql, expected, asIfUneven(several.definition(), sql));
  }

  /**
   * Plans a query as if every other table were so small, and columns had so many values, that the
   * keys of one table leave out most of another.
   */
  static Plan<?> asIfUneven(TableDefinition definition, String sql) {
    return asIfUneven(definition, ActorSql.DUCKDB, sql);
  }

  /** Plans as {@link #asIfUneven(TableDefinition, String)} does, for actors of any backend. */
  public static Plan<?> asIfUneven(TableDefinition definition, ActorSql actorSql, String sql) {
    Map<String, TableSize> sizes = new LinkedHashMap<>();
    for (SqlTable table : WarehouseSchema.of(definition).tables().values()) {
      Map<String, Long> distinct =
          table.columns().stream()
              .collect(Collectors.toMap(SqlColumn::name, column -> 1_000_000_000_000L));
      long rows = sizes.size() % 2 == 0 ? 1_000_000_000_000L : 1_000_000_000L;
      sizes.put(table.stored(), new TableSize(rows, distinct));
    }
    return planned(definition, actorSql, sql, sizes);
  }

  /** Plans a query as if tables were so large that everything is shuffled that can be. */
  static Plan<?> asIfLarge(TableDefinition definition, String sql) {
    return asIfLarge(definition, ActorSql.DUCKDB, sql);
  }

  /** Plans as {@link #asIfLarge(TableDefinition, String)} does, for actors of any backend. */
  public static Plan<?> asIfLarge(TableDefinition definition, ActorSql actorSql, String sql) {
    List<SqlTable> tables = List.copyOf(WarehouseSchema.of(definition).tables().values());
    Map<String, TableSize> sizes =
        tables.stream()
            .filter(table -> !table.replicated())
            .collect(
                Collectors.toMap(
                    SqlTable::name, table -> new TableSize(1_000_000_000_000L, Map.of())));
    return planned(definition, actorSql, sql, sizes);
  }

  private static Plan<?> planned(
      TableDefinition definition, ActorSql actorSql, String sql, Map<String, TableSize> sizes) {
    List<SqlTable> tables = List.copyOf(WarehouseSchema.of(definition).tables().values());
    Catalog catalog =
        new Catalog(
            definition.name(), tables, sizes, definition.actors(), actorSql, AskedTypes.INSTANCE);
    return StagePlan.answer(definition, QueryPlans.plan(catalog, sql, List.of()));
  }

  /** Compares what a plan gives with what is expected. */
  public static void check(
      LocalTable<WarehouseActor> table, String sql, List<String> expected, Plan<?> plan) {
    assertThat(inOrder(sql, rows((Map<?, ?>) table.query(plan))))
        .as("on %d actors", table.definition().actors())
        .isEqualTo(expected);
  }

  private static List<String> inOrder(String sql, List<String> rows) {
    return sql.matches("(?i).* order by [^)]*") ? rows : rows.stream().sorted().toList();
  }

  /** A statement's answer, a text for each row. */
  static List<String> answer(LocalTable<WarehouseActor> table, String sql) {
    return rows(
        (Map<?, ?>) table.query(new WarehousePlanner().plan(table.definition(), sql, Map.of())));
  }

  private static List<String> reference(String sql) {
    return reference(one, sql);
  }

  /** Returns the answer of the one actor of a table in DuckDB. */
  public static List<String> reference(LocalTable<WarehouseActor> one, String sql) {
    List<ByteBuffer> blocks = new ArrayList<>();
    AtomicInteger width = new AtomicInteger();
    one.actor(0)
        .query(
            List.of(),
            sql,
            new Unhurried(),
            rows -> {
              blocks.add(Blocks.of(rows));
              width.set(rows.getFieldVectors().size());
            });
    List<Column> columns =
        IntStream.range(0, width.get()).mapToObj(i -> new Column("c" + i, i)).toList();
    return inOrder(
        sql,
        rows(
            ClientStage.answer(
                new LastStage("FROM rows", List.of(new Broadcast("rows", blocks)), columns, false),
                Duration.ofMinutes(10))));
  }

  private static List<String> rows(Map<?, ?> answer) {
    return ((List<?>) answer.get("rows"))
        .stream()
            .map(row -> ((List<?>) row).stream().map(StatementsTest::text).toList().toString())
            .toList();
  }

  /** Numbers alike whatever their type; sums of floating point may differ in their last digits. */
  private static String text(Object value) {
    String text = String.valueOf(value);
    return NUMBER.matcher(text).matches()
        ? new BigDecimal(text)
            .round(text.length() > 20 ? MathContext.UNLIMITED : DIGITS)
            .stripTrailingZeros()
            .toPlainString()
        : text;
  }

  /**
   * Checks refusals of statements that cannot be planned: the statement, then {@code -->} and a
   * part of the message.
   */
  @ParameterizedTest
  @MethodSource("refusals")
  void whatCannotBePlannedIsRefusedByName(String line) {
    String[] parts = line.split(" --> ");
    assertThatThrownBy(
            () -> one.query(new WarehousePlanner().plan(one.definition(), parts[0], Map.of())))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(parts[1])
        .matches(
            e ->
                ((UniserveException) e).code().party()
                    == io.uniserve.api.error.ErrorCode.Party.CALLER);
  }

  /** DuckDB, given thousands of them, would take the process's stack, and so the process. */
  @Test
  void whatIsTooLargeToPlanIsNotComputedWholeEither() {
    String either =
        IntStream.range(0, 3_000)
            .mapToObj(i -> "(days = " + i + " and book_id = " + i + ")")
            .collect(joining(" or "));
    assertThatThrownBy(
            () ->
                one.query(
                    new WarehousePlanner()
                        .plan(
                            one.definition(),
                            "select book_id from loan where " + either,
                            Map.of())))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("more than 1000 conditions of AND within OR");
  }
}
