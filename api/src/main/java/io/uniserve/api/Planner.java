package io.uniserve.api;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A translator of native requests into plans and updates (DPA §3.3: "a query planner in their
 * system's client library"). Its methods are pure functions of the table's definition and the
 * request. They never see the table's data.
 *
 * <p>A <i>document</i> here is a JSON-like value: {@code null}, {@link Boolean}, {@link Long},
 * {@link Double}, {@link String}, {@link List} of documents, or {@link Map} from string to
 * document.
 */
public interface Planner {
  /**
   * A column of an answer.
   *
   * @param type its type in SQL, such as {@code decimal(12,2)}
   */
  record AnswerColumn(String name, String type) {}

  /** The option that gives the idempotency key of a query that changes data. */
  String IDEMPOTENCY_KEY = "idempotencyKey";

  /**
   * Plans one query in the engine's own language. The result of the plan is a document.
   *
   * @param options named settings of the query; unknown ones are refused
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} for a malformed query, naming
   *     it
   */
  Plan<?> plan(TableDefinition table, String query, Map<String, String> options);

  /**
   * Checks rows against the table's schema and turns them into records.
   *
   * @param rows documents; a number that neither Long nor Double can hold exactly is a {@link
   *     BigInteger} or a {@link BigDecimal}
   * @throws RejectedRowException naming the first row that the schema refuses; nothing has been
   *     applied
   */
  List<? extends PartitionedRecord> records(TableDefinition table, List<Map<String, Object>> rows);

  /** Returns the update that stores such records and replaces those of the same identity. */
  UpdateFunction<?, ?> load(TableDefinition table);

  /**
   * Returns the update that ends a load. It runs without records on every actor and makes
   * everything stored before it visible to queries. The result is empty if stored records are
   * visible at once.
   */
  default Optional<UpdateFunction<?, ?>> publish(TableDefinition table) {
    return Optional.empty();
  }

  /**
   * Returns the partition key that a text of people stands for, to divide a table by ranges of
   * keys.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the table's keys have no
   *     such value; {@link ErrorCode#UNSUPPORTED} if its keys are not of one kind
   */
  default PartitionKey key(TableDefinition table, String text) {
    return PartitionKey.of(text);
  }

  /**
   * Plans a scan, which reads all records of a table page by page.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} for a malformed request,
   *     naming its part; {@link ErrorCode#UNSUPPORTED} if the table cannot be scanned
   */
  default ScanPlan scan(TableDefinition table, ScanRequest request) {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "tables of engine '" + table.engine() + "' cannot be scanned");
  }

  /**
   * Returns whether a query in the engine's language changes data. All others need the right to
   * read the table, even those that only explain a plan.
   */
  default boolean isChange(String query) {
    return false;
  }

  /**
   * Returns the columns of a statement's answer, if the engine's language is SQL over one table,
   * whose answers are documents {@code {"columns": …, "rows": [[VALUE]]}}, in which decimals, dates
   * and times are texts, and whose changes tell the number of rows as the only value. Gateways of
   * SQL serve tables of such engines. The result is empty for other languages.
   *
   * @throws UniserveException as {@link #plan} does
   */
  default Optional<List<AnswerColumn>> columns(TableDefinition table, String statement) {
    return Optional.empty();
  }
}
