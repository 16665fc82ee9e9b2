package io.uniserve.node.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlStatementsTest {
  private final SqlStatements statements = new SqlStatements();

  private List<String> add(String text) {
    return text.lines().flatMap(line -> statements.add(line).stream()).toList();
  }

  @Test
  void semicolonsEndStatements() {
    assertThat(add("select 1; select\n 2\n;\nselect 3")).containsExactly("select 1", "select\n 2");
    assertThat(statements.rest()).isEqualTo("select 3");
    assertThat(statements.begun()).isTrue();
  }

  @Test
  void thoseInQuotesAndCommentsDoNot() {
    assertThat(
            add(
                """
                select 'a;b''c;' as "x;""y", -- it's; not
                  1 /* nor ;
                  here; */ + 2;
                """))
        .containsExactly(
            """
            select 'a;b''c;' as "x;""y", -- it's; not
              1 /* nor ;
              here; */ + 2""");
    assertThat(statements.begun()).isFalse();
  }

  @Test
  void textMayHaveSeveralLines() {
    assertThat(add("select 'a\nb;'")).isEmpty();
    assertThat(add(";")).containsExactly("select 'a\nb;'");
  }

  @Test
  void whatSaysNothingIsNoStatement() {
    assertThat(add(";;\n -- nothing\n /* nothing */ ;\n -- the end")).isEmpty();
    assertThat(statements.rest()).isEmpty();
    assertThat(statements.begun()).isFalse();
  }

  @Test
  void aCommentThatIsNotFinishedAsksForMore() {
    assertThat(add("/* select 1;")).isEmpty();
    assertThat(statements.begun()).isTrue();
  }
}
