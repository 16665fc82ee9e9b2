package io.uniserve.sql.backend;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.sql.arrow.SpreadRows;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The changes of a split or a merge to one database, within a transaction. Rows go to the part that
 * has their keys; every part has all rows of a replicated table. The count of rows that a statement
 * changed stays whole: only one of two parts keeps it.
 */
public final class Reshaping {
  /**
   * The longest time after which a statement that one of two actors has carried out may still reach
   * the other.
   */
  private static final Duration UNDER_WAY_MAX = Duration.ofMinutes(1);

  private static final Duration READING_MAX = Duration.ofHours(1);

  /** The number of rows by which the middle of a table is estimated. */
  private static final int SAMPLE_ROWS = 10_000;

  private static final String REWRITTEN = Change.quoted(ActorDatabase.REWRITTEN);

  private final WarehouseSchema schema;
  private final Session session;

  /**
   * Makes the changes.
   *
   * @param schema the schema of the database
   * @param session the session of the transaction
   */
  public Reshaping(WarehouseSchema schema, Session session) {
    this.schema = schema;
    this.session = session;
  }

  private List<SqlTable> spread() {
    return schema.stored().values().stream().filter(table -> !table.replicated()).toList();
  }

  /** Deletes the rows with other partition keys. */
  public void retain(Predicate<PartitionKey> kept) throws SQLException {
    retainCounts(kept);
    for (SqlTable table : spread()) {
      session.retain(table, kept);
    }
  }

  /** Keeps the counts in the part that has the first row. */
  private void retainCounts(Predicate<PartitionKey> kept) throws SQLException {
    Optional<PartitionKey> first = first();
    if (first.isEmpty()) {
      // Neither part knows whether it should keep the counts, so both drop them.
      session.execute("DELETE FROM " + REWRITTEN + " WHERE changed > 0");
    } else if (!kept.test(first.get())) {
      session.execute("UPDATE " + REWRITTEN + " SET changed = 0");
    }
  }

  private Optional<PartitionKey> first() throws SQLException {
    for (SqlTable table : spread()) {
      List<PartitionKey> keys =
          keys(table, " ORDER BY " + columns(table.partitionBy()) + " LIMIT 1");
      if (!keys.isEmpty()) {
        return Optional.of(keys.getFirst());
      }
    }
    return Optional.empty();
  }

  private List<PartitionKey> keys(SqlTable table, String which) throws SQLException {
    List<Integer> columns = IntStream.range(0, table.partitionBy().size()).boxed().toList();
    List<PartitionKey> keys = new ArrayList<>();
    read(
        session,
        "SELECT " + columns(table.partitionBy()) + " FROM " + Change.quoted(table.stored()) + which,
        rows -> {
          for (int row = 0; row < rows.getRowCount(); row++) {
            keys.add(SpreadRows.key(rows, row, columns));
          }
        });
    return keys;
  }

  private static String columns(List<String> names) {
    return names.stream().map(Change::quoted).collect(Collectors.joining(", "));
  }

  private static void read(Session session, String sql, Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    session.query(List.of(), sql, READING_MAX, () -> false, rows);
  }

  /**
   * Estimates the key that half of all rows come before; empty if there are no two different keys.
   */
  public Optional<PartitionKey> middle() throws SQLException {
    TreeMap<PartitionKey, Double> rows = new TreeMap<>();
    for (SqlTable table : spread()) {
      List<PartitionKey> keys =
          keys(table, " USING SAMPLE reservoir(" + SAMPLE_ROWS + " ROWS) REPEATABLE (1)");
      double each = keys.isEmpty() ? 0 : (double) count(table) / keys.size();
      keys.forEach(key -> rows.merge(key, each, Double::sum));
    }
    double all = rows.values().stream().mapToDouble(Double::doubleValue).sum();
    double before = 0;
    for (Map.Entry<PartitionKey, Double> key : rows.entrySet()) {
      if (before > 0 && (before >= all / 2 || key.getKey().equals(rows.lastKey()))) {
        return Optional.of(key.getKey());
      }
      before += key.getValue();
    }
    return Optional.empty();
  }

  private long count(SqlTable table) throws SQLException {
    List<Long> count = new ArrayList<>();
    read(
        session,
        "SELECT count(*) FROM " + Change.quoted(table.stored()),
        rows -> count.add(((BigIntVector) rows.getVector(0)).get(0)));
    return count.getFirst();
  }

  /**
   * Adds the rows of another database.
   *
   * @param theirs its schema
   * @param other a session of it, which only reads
   * @param now the time in milliseconds since 1970
   * @throws UniserveException retryable, if a statement or a row has reached only one of the two
   */
  public void absorb(WarehouseSchema theirs, Session other, long now) throws SQLException {
    if (theirs.revision() != schema.revision()) {
      throw underWay("they have the schemas " + schema.revision() + " and " + theirs.revision());
    }
    Map<String, Long> counts = counts(session);
    Map<String, Long> others = counts(other);
    requireFinished(counts, others, now);
    requireFinished(others, counts, now);
    for (SqlTable table : schema.stored().values()) {
      if (table.replicated() && !fingerprint(table, session).equals(fingerprint(table, other))) {
        throw underWay("they have different rows of the replicated table '" + table.name() + "'");
      }
    }
    for (SqlTable table : spread()) {
      session.absorb(table, other);
    }
    for (Map.Entry<String, Long> one : others.entrySet()) {
      absorb(one.getKey(), one.getValue(), counts.containsKey(one.getKey()));
    }
  }

  private static UniserveException underWay(String why) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE, "the two actors cannot be merged now: " + why);
  }

  /**
   * Checks that both actors have carried out the same statements, since none can be carried out on
   * half of an actor.
   */
  private static void requireFinished(Map<String, Long> one, Map<String, Long> other, long now) {
    for (String name : one.keySet()) {
      boolean young =
          ChangeName.of(name)
              .filter(said -> now - said.sinceMillis() < UNDER_WAY_MAX.toMillis())
              .isPresent();
      if (young && !other.containsKey(name)) {
        throw underWay("statement " + name + " has reached only one of them yet");
      }
    }
  }

  /** Returns the numbers of rows that statements have changed, by their names, the oldest first. */
  private static Map<String, Long> counts(Session session) throws SQLException {
    Map<String, Long> counts = new LinkedHashMap<>();
    read(
        session,
        "SELECT name, changed FROM " + REWRITTEN + " ORDER BY place",
        rows -> {
          for (int row = 0; row < rows.getRowCount(); row++) {
            counts.put(
                new String(((VarCharVector) rows.getVector(0)).get(row), StandardCharsets.UTF_8),
                ((BigIntVector) rows.getVector(1)).get(row));
          }
        });
    return counts;
  }

  private void absorb(String name, long changed, boolean known) throws SQLException {
    if (!known) {
      session.execute(Change.remembering(name, changed));
    } else if (ChangeName.of(name).filter(ChangeName::copies).isEmpty()) {
      session.execute(
          "UPDATE %s SET changed = changed + %d WHERE name = %s"
              .formatted(REWRITTEN, changed, Change.text(name)));
    } else {
      session.execute(
          "UPDATE %s SET changed = greatest(changed, %d) WHERE name = %s"
              .formatted(REWRITTEN, changed, Change.text(name)));
    }
  }

  /** Returns a fingerprint of a table's rows, which does not depend on their order. */
  private static String fingerprint(SqlTable table, Session session) throws SQLException {
    List<String> found = new ArrayList<>();
    read(
        session,
        "SELECT concat(count(*), ' ', sum(hash("
            + columns(table.columns().stream().map(SqlColumn::name).toList())
            + ")::HUGEINT)) FROM "
            + Change.quoted(table.stored()),
        rows ->
            found.add(
                new String(((VarCharVector) rows.getVector(0)).get(0), StandardCharsets.UTF_8)));
    return found.getFirst();
  }
}
