package io.uniserve.sql.algebra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.functions.DuckDialect;
import io.uniserve.sql.algebra.functions.FunctionTypes;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlStatement;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowChangeTest {
  private static final SqlTable STOCK =
      new SqlTable(
          "stock",
          "stock~2",
          List.of(
              new SqlColumn("id", SqlType.of("bigint"), false),
              new SqlColumn("item", SqlType.of("varchar"), true),
              new SqlColumn("number", SqlType.of("integer"), true)),
          List.of("id"),
          List.of());

  private static final Translation TRANSLATION =
      new Translation(
          "shop",
          List.of(new CatalogTable(STOCK, new TableSize(10, Map.of()))),
          FunctionTypes.NONE);

  private static RowChange change(String sql) {
    SqlNode statement = SqlStatement.parse(sql).tree();
    return statement instanceof SqlUpdate update
        ? RowChange.of(update, List.of(STOCK), TRANSLATION)
        : RowChange.of((SqlDelete) statement, List.of(STOCK), TRANSLATION);
  }

  @Test
  void anUpdateIsWrittenForTheTableAsItIsStored() {
    RowChange change = change("update stock s set number = s.number + 1 where s.item = 'it''s'");

    assertThat(change.columns()).extracting(SqlColumn::name).containsExactly("number");
    assertThat(change.sql(DuckDialect.INSTANCE))
        .isEqualTo("UPDATE \"stock~2\" SET \"number\" = \"number\" + 1 WHERE \"item\" = 'it''s'");
  }

  @Test
  void aDeletionHasNoColumns() {
    RowChange change = change("delete from stock where number < 0");

    assertThat(change.columns()).isEmpty();
    assertThat(change.sql(DuckDialect.INSTANCE))
        .isEqualTo("DELETE FROM \"stock~2\" WHERE \"number\" < 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update stock set number = (select max(number) from stock) | a sub-query at line 1",
        "delete from stock where id in (select number as id from stock, stock) | a sub-query",
        "delete from stock where id in (values (1), (2)) | a sub-query at line 1, column 32",
        "update stock set number = 1 where exists (with t as (select 1) select * from t) | a sub-query",
        "update stock set number = row_number() over () | a window",
        "delete from stock where number > random() | random()",
        "update stock set id = 5 | UPDATE of column 'id'"
      })
  void whatDoesNotFollowFromTheRowIsRefused(String sql, String named) {
    assertThatThrownBy(() -> change(sql))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessageContaining(named);
  }
}
