package io.uniserve.sql.stages;

import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.sql.arrow.ArrowDocuments;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.KeyedRows;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The planning of scans of SQL tables. */
public final class TableScan {
  private final TableDefinition warehouse;
  private final ActorSql actorSql;
  private final ScanRequest request;
  private final SqlTable table;

  private TableScan(TableDefinition warehouse, ActorSql actorSql, ScanRequest request) {
    this.warehouse = warehouse;
    this.actorSql = actorSql;
    this.request = request;
    this.table = table(WarehouseSchema.of(warehouse), request.part());
  }

  /** Returns the operator of scans, which crosses the wire. */
  public static Class<? extends Record> operator() {
    return ScanRows.class;
  }

  /**
   * Plans a scan of a table. The key of the request is the first column of the primary key, or of
   * the columns that decide where a row is, if there is none; the condition is one that could
   * follow WHERE. Rows without a primary key are told apart by a digest of all their values, and
   * equal ones are numbered.
   *
   * @param actorSql the SQL of the actors
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong; with
   *     {@link ErrorCode#UNSUPPORTED} if the condition reads other tables, or the actors cannot
   *     tell rows apart
   */
  public static ScanPlan plan(TableDefinition warehouse, ActorSql actorSql, ScanRequest request) {
    return new TableScan(warehouse, actorSql, request).plan();
  }

  /**
   * Plans a scan of the rows that a query passes on.
   *
   * @param rows the rows
   * @param actors the keys of the actors that are read
   */
  static ScanPlan of(TableDefinition warehouse, KeyedRows rows, Keys actors) {
    List<ScanRows.Column> columns = new ArrayList<>();
    for (int i = 0; i < rows.width(); i++) {
      columns.add(new ScanRows.Column("c" + i, i));
    }
    return new ScanPlan(
        warehouse.name(),
        new ScanRows(
            rows.table(),
            rows.sql(),
            columns,
            rows.key().stream()
                .map(key -> new ScanRows.Key(key.index(), key.type().toString()))
                .toList(),
            rows.partitionBy()),
        actors,
        false,
        columns.stream().map(ScanRows.Column::name).toList(),
        ArrowDocuments::read);
  }

  private static SqlTable table(WarehouseSchema schema, Optional<String> name) {
    if (name.isPresent()) {
      return schema.table(name.get());
    }
    if (schema.tables().size() != 1) {
      throw UniserveException.invalid(
          "name the SQL table that is scanned, one of " + schema.tables().keySet());
    }
    return schema.tables().values().iterator().next();
  }

  private ScanPlan plan() {
    boolean keyed = !table.primaryKey().isEmpty();
    if (!keyed && actorSql != ActorSql.DUCKDB) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "table '"
              + table.name()
              + "' has no primary key, so a scan of it could not go on after a failure; query it");
    }
    List<String> fields =
        request.fields().isEmpty()
            ? table.columns().stream().map(SqlColumn::name).toList()
            : request.fields();
    fields.forEach(this::column);
    List<String> identity =
        keyed ? table.primaryKey() : table.columns().stream().map(SqlColumn::name).toList();
    List<String> all = new ArrayList<>(fields);
    all.addAll(identity);
    all.addAll(table.partitionBy());
    DistributedQuery query = SqlQuery.of(warehouse, actorSql, select(all), List.of()).small();
    if (!query.passes() || query.stages().size() != 2) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "the condition of a scan may read the rows of table '" + table.name() + "' alone");
    }
    String sql = query.stages().getFirst().sql();
    List<Integer> places = query.columns().stream().map(DistributedQuery.Column::index).toList();
    List<ScanRows.Column> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      columns.add(new ScanRows.Column(fields.get(i), places.get(i)));
    }
    List<Integer> identityPlaces = places.subList(fields.size(), fields.size() + identity.size());
    int width = Collections.max(places) + 1;
    List<ScanRows.Key> keys = new ArrayList<>();
    for (int i = 0; keyed && i < identity.size(); i++) {
      keys.add(new ScanRows.Key(identityPlaces.get(i), column(identity.get(i)).type().toString()));
    }
    if (!keyed) {
      keys.add(new ScanRows.Key(width, "VARCHAR"));
      keys.add(new ScanRows.Key(width + 1, "BIGINT"));
    }
    return new ScanPlan(
        warehouse.name(),
        new ScanRows(
            table.stored(),
            keyed ? sql : told(sql, width, identityPlaces),
            columns,
            keys,
            places.subList(fields.size() + identity.size(), places.size())),
        keys(),
        table.replicated(),
        fields,
        ArrowDocuments::read);
  }

  /**
   * Returns a statement whose rows are told apart: the column after the last one is a digest of the
   * values of a row, the one after it numbers equal rows.
   *
   * @param width the number of columns
   * @param values the places of the columns whose values make the digest
   */
  private static String told(String sql, int width, List<Integer> values) {
    String digest =
        values.stream()
            .map(place -> "CAST(r.c" + place + " AS VARCHAR)")
            .map(
                text ->
                    "CASE WHEN %s IS NULL THEN 'n' ELSE 'v' || length(%s) || ':' || %s END"
                        .formatted(text, text, text))
            .collect(Collectors.joining(" || ", "md5(", ")"));
    String columns =
        IntStream.range(0, width).mapToObj(i -> "r.c" + i).collect(Collectors.joining(", "));
    return ("SELECT d.*, row_number() OVER (PARTITION BY d.c%d) AS c%d"
            + " FROM (SELECT %s, %s AS c%d FROM (%s) AS r) AS d")
        .formatted(width, width + 1, columns, digest, width, sql);
  }

  /** Returns the column that the bounds of the request are about. */
  private SqlColumn keyColumn() {
    List<String> columns = table.primaryKey().isEmpty() ? table.partitionBy() : table.primaryKey();
    if (columns.isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "table '" + table.name() + "' has no key that a scan can begin at");
    }
    return column(columns.getFirst());
  }

  /** Returns the query. Each column has a name of its own, since some may be there twice. */
  private String select(List<String> columns) {
    List<String> named = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      named.add("t." + quoted(columns.get(i)) + " AS \"column " + i + "\"");
    }
    List<String> conditions = new ArrayList<>();
    request.from().ifPresent(key -> conditions.add(bound(">=", key)));
    request.to().ifPresent(key -> conditions.add(bound("<", key)));
    request.where().ifPresent(condition -> conditions.add("(" + condition + "\n)"));
    return "SELECT "
        + String.join(", ", named)
        + " FROM "
        + quoted(table.name())
        + " AS t"
        + (conditions.isEmpty()
            ? ""
            : conditions.stream().collect(Collectors.joining(" AND ", " WHERE ", "")));
  }

  private String bound(String comparison, String key) {
    return "t." + quoted(keyColumn().name()) + " " + comparison + " " + literal(key);
  }

  private static String quoted(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private SqlColumn column(String name) {
    int place = table.indexOf(name);
    if (place < 0) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "table '" + table.name() + "' has no column '" + Excerpt.of(name) + "'");
    }
    return table.columns().get(place);
  }

  /** Returns a value of the first column of the key. */
  private String literal(String key) {
    SqlColumn column = keyColumn();
    String text = "'" + key.replace("'", "''") + "'";
    return switch (column.type().kind()) {
      case BOOLEAN, VARCHAR -> text;
      case DATE -> "DATE " + text;
      case TIMESTAMP -> "TIMESTAMP " + text;
      case INTEGER, BIGINT, DOUBLE, DECIMAL -> number(key).toPlainString();
    };
  }

  private BigDecimal number(String key) {
    try {
      return new BigDecimal(key);
    } catch (NumberFormatException e) {
      throw UniserveException.invalid(
          "'" + Excerpt.of(key) + "' is no number, as a key of table '" + table.name() + "' is");
    }
  }

  /** Returns the keys of all rows, as far as the table is partitioned by the first of them. */
  private Keys keys() {
    boolean bounded = request.from().isPresent() || request.to().isPresent();
    if (!bounded || !table.partitionBy().equals(List.of(keyColumn().name()))) {
      return Keys.ALL;
    }
    return switch (keyColumn().type().kind()) {
      case VARCHAR ->
          new Keys.Range(request.from().map(PartitionKey::of), request.to().map(PartitionKey::of));
      case INTEGER, BIGINT -> new Keys.Range(whole(request.from()), whole(request.to()));
      case BOOLEAN, DOUBLE, DECIMAL, DATE, TIMESTAMP -> Keys.ALL;
    };
  }

  private Optional<PartitionKey> whole(Optional<String> key) {
    return key.map(this::number)
        .filter(number -> number.stripTrailingZeros().scale() <= 0)
        .filter(number -> number.toBigInteger().bitLength() < Long.SIZE)
        .map(number -> PartitionKey.of(number.longValueExact()));
  }
}
