package io.uniserve.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Translates native requests into plans and updates (DPA §3.3: "a query planner in their system's
 * client library"). Pure: it sees the table's definition, never its data.
 *
 * <p>A <i>document</i> here is a JSON-like value: {@code null}, {@link Boolean}, {@link Long},
 * {@link Double}, {@link String}, {@link List} of documents, or {@link Map} from string to
 * document.
 */
public interface Planner {
  /** The option of a query that changes something: the idempotency key that it is run with. */
  String IDEMPOTENCY_KEY = "idempotencyKey";

  /**
   * A plan for one query in the engine's own language. Its result is a document.
   *
   * @param options named settings of the query; one that the engine does not know is refused
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} for a malformed query, naming
   *     it
   */
  Plan<?> plan(TableDefinition table, String query, Map<String, String> options);

  /**
   * Checks rows against the table's schema and turns them into records.
   *
   * @param rows documents; a number that neither Long nor Double holds as it was written is a
   *     {@link BigInteger} or a {@link BigDecimal}
   * @throws RejectedRowException naming the first row that the schema refuses; nothing has been
   *     applied
   */
  List<? extends PartitionedRecord> records(TableDefinition table, List<Map<String, Object>> rows);

  /** The update that stores such records, replacing any of the same identity. */
  UpdateFunction<?, ?> load(TableDefinition table);

  /**
   * The update that ends a load: run without records on every actor, it makes all that was stored
   * before it visible to queries. Empty if that is visible at once.
   */
  default Optional<UpdateFunction<?, ?>> publish(TableDefinition table) {
    return Optional.empty();
  }

  /**
   * Whether a query in the language is there to change something. All others tell something of the
   * table, be it only how they would be carried out, which needs the right to read it.
   */
  default boolean isChange(String query) {
    return false;
  }
}
