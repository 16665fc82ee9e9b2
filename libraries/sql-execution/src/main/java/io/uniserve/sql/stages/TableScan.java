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
import io.uniserve.sql.planner.Stage;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The planning of scans of SQL tables. */
public final class TableScan {
  private final TableDefinition warehouse;
  private final ScanRequest request;
  private final SqlTable table;

  private TableScan(TableDefinition warehouse, ScanRequest request) {
    this.warehouse = warehouse;
    this.request = request;
    this.table = table(WarehouseSchema.of(warehouse), request.part());
  }

  /** Returns the operator of scans, which crosses the wire. */
  public static Class<? extends Record> operator() {
    return ScanRows.class;
  }

  /**
   * Plans a scan of a table with a primary key. The key of the request is the first column of the
   * primary key, the condition one that could follow WHERE.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong; with
   *     {@link ErrorCode#UNSUPPORTED} if the table has no primary key, or the condition reads other
   *     tables
   */
  public static ScanPlan plan(TableDefinition warehouse, ScanRequest request) {
    return new TableScan(warehouse, request).plan();
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
    if (table.primaryKey().isEmpty()) {
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
    List<String> all = new ArrayList<>(fields);
    all.addAll(table.primaryKey());
    all.addAll(table.partitionBy());
    DistributedQuery query =
        SqlQuery.of(warehouse, ActorSql.DUCKDB, select(all), List.of()).small();
    if (!query.passes() || query.stages().size() != 2) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "the condition of a scan may read the rows of table '" + table.name() + "' alone");
    }
    Stage stage = query.stages().getFirst();
    List<Integer> places = query.columns().stream().map(DistributedQuery.Column::index).toList();
    List<ScanRows.Column> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      columns.add(new ScanRows.Column(fields.get(i), places.get(i)));
    }
    List<ScanRows.Key> keys = new ArrayList<>();
    for (int i = 0; i < table.primaryKey().size(); i++) {
      SqlType type = column(table.primaryKey().get(i)).type();
      keys.add(new ScanRows.Key(places.get(fields.size() + i), type.toString()));
    }
    List<Integer> partitionBy =
        places.subList(fields.size() + table.primaryKey().size(), places.size());
    return new ScanPlan(
        warehouse.name(),
        new ScanRows(table.stored(), stage.sql(), columns, keys, partitionBy),
        keys(),
        table.replicated(),
        fields,
        ArrowDocuments::read);
  }

  /** Returns the query. Each column has a name of its own, since some may be there twice. */
  private String select(List<String> columns) {
    List<String> named = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      named.add("t." + quoted(columns.get(i)) + " AS \"column " + i + "\"");
    }
    List<String> conditions = new ArrayList<>();
    String first = "t." + quoted(table.primaryKey().getFirst());
    request.from().ifPresent(key -> conditions.add(first + " >= " + literal(key)));
    request.to().ifPresent(key -> conditions.add(first + " < " + literal(key)));
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
    SqlColumn column = column(table.primaryKey().getFirst());
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
    if (!table.partitionBy().equals(table.primaryKey().subList(0, 1))) {
      return Keys.ALL;
    }
    return switch (column(table.primaryKey().getFirst()).type().kind()) {
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
