package io.uniserve.sql.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.BoundColumn;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.Stage;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeQueryTest {
  private static final Catalog SHOP =
      new Catalog(
          "shop",
          List.of(
              table("sales", List.of("id"), "id", "region", "qty"),
              table("regions", List.of(), "region", "head")),
          Map.of(),
          4,
          ActorSql.DUCKDB,
          ClientSql.get().types());

  private static SqlTable table(String name, List<String> partitionBy, String... columns) {
    return new SqlTable(
        name,
        name + "#7",
        Arrays.stream(columns)
            .map(column -> new SqlColumn(column, SqlType.of("varchar"), true))
            .toList(),
        partitionBy,
        List.of());
  }

  private static List<Stage> stages(String sql, Object... values) {
    return WholeQuery.of(SHOP, sql, Arrays.asList(values)).stages();
  }

  private static List<Stage> gathering(String sql) {
    List<Stage> all = stages(sql);
    return all.subList(0, all.size() - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select region from sales | SELECT \"region\" FROM \"sales#7\"",
        "select count(*) from sales | SELECT \"id\" FROM \"sales#7\"",
        "from sales | SELECT \"id\", \"region\", \"qty\" FROM \"sales#7\"",
        "select s from sales s | SELECT \"id\", \"region\", \"qty\" FROM \"sales#7\"",
        "select max(QTY) from sales | SELECT \"qty\" FROM \"sales#7\"",
        "select a from sales as s(a, b, c) | SELECT \"id\", \"region\", \"qty\" FROM \"sales#7\"",
        "select #1 from (select qty from sales) | SELECT \"id\", \"region\", \"qty\" FROM \"sales#7\"",
        "select head from sales join regions using (region) |"
            + " SELECT \"region\" FROM \"sales#7\"; SELECT \"region\", \"head\" FROM \"regions#7\"",
        "select head from sales natural join regions |"
            + " SELECT \"id\", \"region\", \"qty\" FROM \"sales#7\";"
            + " SELECT \"region\", \"head\" FROM \"regions#7\"",
        "select x.id from sales x, sales y where x.id < y.id | SELECT \"id\" FROM \"sales#7\"",
      })
  void theColumnsThatAQueryHasWordsForAreGathered(String sql, String expected) {
    assertThat(String.join("; ", gathering(sql).stream().map(Stage::sql).toList()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "with sales as (select 1 as id) select id from sales | ``",
        "with sales as (select id from sales) select id from sales | sales",
        "with a as (select 1 as id), b as (select id from a) select id from b | ``",
        "with recursive sales as (select 1 as id union all select id + 1 from sales where id < 3) select id from sales | ``",
        "select (with sales as (select 1 as id) select id from sales), id from sales | sales",
        "select id from sales where id in (with regions as (select '1' as x) select x from regions) | sales",
        "select [head] from regions union all select [id] from shop.sales | regions,sales"
      })
  void aTableThatIsHiddenByANameOfAQueryIsNotRead(String sql, String expected) {
    assertThat(String.join(",", gathering(sql).stream().map(Stage::name).toList()))
        .isEqualTo(expected);
  }

  @Test
  void aReplicatedTableIsReadInOneActor() {
    assertThat(stages("from regions").getFirst().place()).isEqualTo(Stage.Place.ONE_ACTOR);
    assertThat(stages("from sales").getFirst().place()).isEqualTo(Stage.Place.EACH_ACTOR);
  }

  @Test
  void qualifiersGoAndAllElseStaysWhereItIs() {
    assertThat(
            stages(
                    "select 'é', shop.sales.id, [\"shop\" . sales.qty] from SHOP.sales where 'shop.sales' = id")
                .getLast()
                .sql())
        .isEqualTo(
            "select 'é',      sales.id, [         sales.qty] from      sales where 'shop.sales' = id");
  }

  @Test
  void parametersBecomeLiterals() {
    assertThat(
            stages(
                    "select ?, ?, ?, ?, ?, '?', \"?\", $$?$$, $a$?$a$, e'\\'?' /* ? */ -- ?\n from (select 1 as \"?\")",
                    -5L,
                    new BigDecimal("1.50"),
                    "it's ?",
                    LocalDate.of(2024, 1, 2),
                    null)
                .getLast()
                .sql())
        .isEqualTo(
            "select (-5), (1.50), 'it''s ?', CAST('2024-01-02' AS DATE), NULL, '?', \"?\", $$?$$, $a$?$a$, e'\\'?' /* ? */ -- ?\n from (select 1 as \"?\")");
    assertThatThrownBy(() -> stages("select [?]"))
        .isInstanceOf(UniserveException.class)
        .hasMessage("SQL: the statement has 1 parameters, and 0 are given");
  }

  @Test
  void theTypesOfParametersAreDuckDbs() {
    assertThat(WholeQuery.parameters(SHOP, "select [id] from sales where region = ? limit ?"))
        .containsExactly(SqlType.of("varchar"), SqlType.of("bigint"));
    assertThatThrownBy(() -> WholeQuery.parameters(SHOP, "select [?]"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("parameter 1")
        .hasMessageContaining("CAST(? AS ...)");
  }

  @Test
  void columnsHaveTheNamesAndTypesThatDuckDbGives() {
    String sql = "select [id] as a, 1 as a, count(*) from sales group by id";

    assertThat(WholeQuery.of(SHOP, sql, List.of()).columns())
        .containsExactly(
            new BoundColumn("a", "VARCHAR[]"),
            new BoundColumn("a", "INTEGER"),
            new BoundColumn("count_star()", "BIGINT"));
  }

  @Test
  void aPlanSaysWhyItIsWhole() {
    DistributedQuery query = QueryPlans.plan(SHOP, "select columns('i.*') from sales", List.of());

    assertThat(query.isWhole()).isTrue();
    assertThat(query.explain(Map.of()).getFirst())
        .startsWith("computed whole where it was asked: ");
  }

  /** Checks that a query that the two parsers understand differently is computed whole. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select * from sales semi join regions on sales.region = regions.region",
        "select * from sales anti join regions on sales.region = regions.region",
      })
  void whatDuckDbUnderstandsOtherwiseIsComputedWhole(String sql) {
    DistributedQuery query = QueryPlans.plan(SHOP, sql, List.of());

    assertThat(query.isWhole()).isTrue();
    assertThat(query.columns()).hasSize(3);
  }

  /** The columns that a join uses stay where the left table has them. */
  @Test
  void theOrderOfColumnsIsDuckDbs() {
    String sql = "select * from sales join regions using (region)";

    assertThat(QueryPlans.plan(SHOP, sql, List.of()).columns())
        .extracting(DistributedQuery.Column::name)
        .containsExactly("id", "region", "qty", "head");
  }

  @Test
  void aQueryThatIsUnderstoodIsCut() {
    String sql = "select region, count(*) from sales group by region";

    assertThat(QueryPlans.plan(SHOP, sql, List.of()).isWhole()).isFalse();
  }

  @Test
  void qualifiersAreThoseOfAnyStatement() {
    assertThat(QueryPlans.qualifiers("select {'a': id} from Shop.sales")).containsExactly("shop");
    assertThat(QueryPlans.qualifiers("insert into a.t select {'a': id} from b.sales"))
        .containsExactly("a", "b");
    assertThat(QueryPlans.qualifiers("create table a.t as select {'a': id} from b.sales"))
        .containsExactly("a", "b");
  }
}
