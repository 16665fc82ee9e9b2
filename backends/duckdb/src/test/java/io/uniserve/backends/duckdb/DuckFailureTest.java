package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the messages about DuckDB's failures. */
class DuckFailureTest {
  /** DuckDB 1.5 loses a column of it while it plans. */
  private static final String DEFECT =
      "with u as (select 1 x, date '2024-01-01' s), o as (select date '2024-01-01' x),"
          + " q as (select 1 as b from o as t)"
          + " select (select 1 from q where (s, 2) in (select o.x x, 2 as a from q, o)) k"
          + " from u as q group by x, s";

  @Test
  void aDefectOfDuckDbIsNeitherTheCallersNorOurs() {
    assertThatThrownBy(
            () ->
                ClientStage.answer(
                    new LastStage(DEFECT, List.of(), List.of(new Column("k", 0)), true),
                    Duration.ofMinutes(1)))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED);
              assertThat(e.retryable()).isFalse();
            })
        .hasMessageContaining("DuckDB itself fails on this statement; write it in other words")
        .hasMessageContaining("Failed to bind column reference \"s\"")
        .hasMessageNotContaining("Stack Trace");
  }

  @Test
  void whatTheStatementIsNotToBlameForIsOursElsewhere() {
    SQLException defect =
        new SQLException(
            "{\"exception_type\":\"INTERNAL\",\"exception_message\":\"lost a \\\"column\\\"\"}");
    assertThat(DuckFailure.of(defect).ofOurs("a change", defect))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasMessage("a change: lost a \"column\"");
    SQLException named = DuckFailure.ofQuery(defect);
    assertThat(DuckFailure.of(named).ofOurs("a query", named))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessageContaining("lost a \"column\"");
  }

  /** Patterns would fill the stack. */
  @Test
  void aLongMessageIsRead() {
    String message = "x\\n".repeat(100_000);
    DuckFailure failure =
        DuckFailure.of(
            new SQLException(
                "{\"exception_type\":\"Binder\",\"exception_message\":\"" + message + "\"}"));
    assertThat(failure.type()).isEqualTo("binder");
    assertThat(failure.message()).startsWith("x x").endsWith("...");
  }
}
