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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    for (SqlTable table : spread()) {
      session.retain(table, kept);
    }
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
    Set<String> statements = statements(session);
    Set<String> others = statements(other);
    requireFinished(statements, others, now);
    requireFinished(others, statements, now);
    for (SqlTable table : schema.stored().values()) {
      if (table.replicated() && !fingerprint(table, session).equals(fingerprint(table, other))) {
        throw underWay("they have different rows of the replicated table '" + table.name() + "'");
      }
    }
    for (SqlTable table : spread()) {
      session.absorb(table, other);
    }
    for (String name : others) {
      if (!statements.contains(name)) {
        session.execute(Change.remembering(name));
      }
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
  private static void requireFinished(Set<String> one, Set<String> other, long now) {
    for (String name : one) {
      boolean young =
          now - ChangeName.sinceMillis(name).orElse(Long.MIN_VALUE / 2) < UNDER_WAY_MAX.toMillis();
      if (young && !other.contains(name)) {
        throw underWay("statement " + name + " has reached only one of them yet");
      }
    }
  }

  /** Returns the names of the statements that were carried out, the oldest first. */
  private static Set<String> statements(Session session) throws SQLException {
    Set<String> names = new LinkedHashSet<>();
    read(
        session,
        "SELECT name FROM " + REWRITTEN + " ORDER BY place",
        rows -> {
          for (int row = 0; row < rows.getRowCount(); row++) {
            names.add(
                new String(((VarCharVector) rows.getVector(0)).get(row), StandardCharsets.UTF_8));
          }
        });
    return names;
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
