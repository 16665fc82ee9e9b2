package io.uniserve.engines.sharedscan;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.ColumnType;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.engines.sharedscan.sql.Parser;
import io.uniserve.engines.sharedscan.sql.Statement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The planner of the SQL of shared scans, which also makes records from rows. */
public final class SharedScanPlanner implements Planner {
  private static final String CHANGED = "changed";

  /**
   * {@inheritDoc}
   *
   * <p>The query is a statement of SQL over this one table. The answer is {@code {"columns":
   * [{"name", "type"}], "rows": [[VALUE]]}}; decimals, dates and times are texts. No options but
   * {@link Planner#IDEMPOTENCY_KEY}.
   */
  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    Map<String, String> others = new TreeMap<>(options);
    others.remove(IDEMPOTENCY_KEY); // the runtime takes care of it
    if (!others.isEmpty()) {
      throw UniserveException.invalid("SQL has no options, not " + others.keySet());
    }
    TableSchema schema = TableSchema.of(table);
    return switch (Parser.parse(schema, table.name(), query)) {
      case Statement.Select select -> select(table, schema, select);
      case Statement.Explain explain -> Explanation.plan(table, schema, explain.select());
      case Statement.Insert insert -> insert(table, schema, insert);
      case Statement.Update update ->
          change(
              table,
              schema,
              new ChangeRows(update.where(), settings(schema, update)),
              update.where());
      case Statement.Delete delete ->
          change(table, schema, new DeleteRows(delete.where()), delete.where());
    };
  }

  /**
   * {@inheritDoc}
   *
   * <p>The key is the column that decides where a record is, the condition one that could follow
   * WHERE.
   */
  @Override
  public ScanPlan scan(TableDefinition table, ScanRequest request) {
    return PagePlan.of(table, request);
  }

  @Override
  public PartitionKey key(TableDefinition table, String text) {
    TableSchema schema = TableSchema.of(table);
    return schema.key(schema.column(schema.partitionBy()).stored(text));
  }

  @Override
  public boolean isChange(String query) {
    return Parser.isChange(query);
  }

  @Override
  public Optional<List<AnswerColumn>> columns(TableDefinition table, String statement) {
    TableSchema schema = TableSchema.of(table);
    return Optional.of(
        switch (Parser.parse(schema, table.name(), statement)) {
          case Statement.Select select ->
              select.items().stream()
                  .map(item -> new AnswerColumn(item.name(), typeName(schema, item)))
                  .toList();
          case Statement.Explain _ -> List.of(new AnswerColumn(Explanation.COLUMN, "varchar"));
          case Statement.Insert _, Statement.Update _, Statement.Delete _ ->
              List.of(new AnswerColumn(CHANGED, "bigint"));
        });
  }

  private static Plan<Map<String, Object>> select(
      TableDefinition table, TableSchema schema, Statement.Select select) {
    Source source = Source.table(table.name(), keys(schema, select.where()));
    if (select.groups()) {
      List<Aggregate> aggregates = GroupMerge.aggregates(select);
      return new Plan.Query<>(
          source,
          new ScanGroups(select.where(), select.groupBy(), aggregates),
          () -> new GroupMerge(schema, select));
    }
    List<Integer> columns = select.items().stream().map(Statement.Item::column).toList();
    long limit =
        select.orderBy().isEmpty() ? select.limit().orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
    return new Plan.Query<>(
        source, new ScanRows(select.where(), columns, limit), () -> new RowMerge(schema, select));
  }

  /** Returns the keys of the records that may pass all tests, if they are few. */
  static Keys keys(TableSchema schema, List<Test> where) {
    return where.stream()
        .filter(test -> test.column() == schema.partitionBy())
        .filter(Test.Among.class::isInstance)
        .map(Test.Among.class::cast)
        .filter(among -> !among.not() && !among.values().isEmpty())
        .findFirst()
        .<Keys>map(among -> new Keys.Of(keys(schema, among)))
        .orElse(Keys.ALL);
  }

  private static List<PartitionKey> keys(TableSchema schema, Test.Among among) {
    return among.values().stream()
        .map(value -> value instanceof String text ? PartitionKey.of(text) : schema.key(value))
        .toList();
  }

  private static Plan<Map<String, Object>> change(
      TableDefinition table, TableSchema schema, UpdateFunction<?, ?> function, List<Test> where) {
    List<Address> addresses =
        keys(schema, where) instanceof Keys.Of some
            ? some.keys().stream().map(Address::new).toList()
            : List.of();
    return new Plan.Update(table.name(), function, addresses)
        .then(
            counts ->
                new Plan.Known<>(changed(counts.stream().mapToLong(count -> (Long) count).sum())));
  }

  private static Map<String, Object> changed(long rows) {
    return document(List.of(column(CHANGED, "bigint")), List.of(List.of(rows)));
  }

  private static List<ChangeRows.Setting> settings(TableSchema schema, Statement.Update update) {
    List<ChangeRows.Setting> settings = new ArrayList<>();
    for (int i = 0; i < update.columns().size(); i++) {
      Object value = update.values().get(i);
      schema.column(update.columns().get(i)).stored(value);
      settings.add(
          new ChangeRows.Setting(
              update.columns().get(i),
              value instanceof BigDecimal number ? number.toPlainString() : value));
    }
    return settings;
  }

  private static Plan<Map<String, Object>> insert(
      TableDefinition table, TableSchema schema, Statement.Insert insert) {
    List<Row> rows = new ArrayList<>();
    for (List<Object> values : insert.rows()) {
      Object[] stored = new Object[schema.size()];
      Object[] given = new Object[schema.size()];
      for (int i = 0; i < values.size(); i++) {
        given[insert.columns().get(i)] = values.get(i);
      }
      for (int i = 0; i < stored.length; i++) {
        stored[i] = stored(schema.column(i), given[i], rows.size());
      }
      rows.add(row(schema, stored));
    }
    Plan<Map<String, Object>> told = new Plan.Known<>(changed(rows.size()));
    return new Plan.Update(table.name(), new AddRows(), rows).then(done -> told);
  }

  private static Object stored(Column column, Object value, int row) {
    try {
      return column.stored(value);
    } catch (UniserveException e) {
      throw new RejectedRowException(row, e.getMessage());
    }
  }

  private static Row row(TableSchema schema, Object[] stored) {
    return new Row(
        schema.key(stored[schema.partitionBy()]), new Cells(schema.columns()).of(stored));
  }

  @Override
  public List<Row> records(TableDefinition table, List<Map<String, Object>> rows) {
    TableSchema schema = TableSchema.of(table);
    List<Row> records = new ArrayList<>(rows.size());
    for (Map<String, Object> row : rows) {
      Map<String, Object> fields = new HashMap<>(row);
      Object[] stored = new Object[schema.size()];
      for (int i = 0; i < stored.length; i++) {
        stored[i] =
            stored(schema.column(i), fields.remove(schema.column(i).name()), records.size());
      }
      if (!fields.isEmpty()) {
        throw new RejectedRowException(
            records.size(), "there is no column '" + fields.keySet().iterator().next() + "'");
      }
      records.add(row(schema, stored));
    }
    return records;
  }

  /**
   * Returns a record from the stored values of its columns, in their order.
   *
   * @param stored each as {@link Column#stored} gives it
   */
  public static Row record(TableSchema schema, Object[] stored) {
    return row(schema, stored);
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new AddRows();
  }

  /** Returns an answer. */
  static Map<String, Object> document(List<Map<String, Object>> columns, List<?> rows) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("columns", columns);
    document.put("rows", rows);
    return document;
  }

  static Map<String, Object> column(String name, String type) {
    Map<String, Object> column = new LinkedHashMap<>();
    column.put("name", name);
    column.put("type", type);
    return column;
  }

  /** Returns the columns of a query's answer. */
  static List<Map<String, Object>> columns(TableSchema schema, Statement.Select select) {
    return select.items().stream()
        .map(item -> column(item.name(), typeName(schema, item)))
        .toList();
  }

  private static String typeName(TableSchema schema, Statement.Item item) {
    Optional<ColumnType> type =
        item.column() < 0 ? Optional.empty() : Optional.of(schema.column(item.column()).type());
    if (item.aggregate().isEmpty()) {
      return type.orElseThrow().sqlName();
    }
    return switch (item.aggregate().get().kind()) {
      case COUNT -> "bigint";
      case SUM -> item.mean() ? "double" : sumType(type.orElseThrow());
      case MIN, MAX -> type.orElseThrow().sqlName();
    };
  }

  private static String sumType(ColumnType type) {
    int scale = type instanceof ColumnType.Decimal decimal ? decimal.scale() : 0;
    return "decimal(38," + scale + ")";
  }
}
