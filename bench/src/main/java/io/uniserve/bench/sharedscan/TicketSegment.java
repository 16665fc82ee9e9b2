package io.uniserve.bench.sharedscan;

import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.scan.GroupSink;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.RowSink;
import io.uniserve.engines.sharedscan.scan.Sink;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.engines.sharedscan.sql.Parser;
import io.uniserve.engines.sharedscan.sql.Statement;
import io.uniserve.tickets.TicketTable;
import io.uniserve.tickets.Tickets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A segment of tickets, and statements as its operations.
 *
 * @param bookings the number of bookings whose tickets it has
 */
record TicketSegment(TableSchema schema, Segment segment, long bookings) {
  private static final long SEED = 1;
  private static final int STEP = 4_096;

  /** Fills a segment. */
  static TicketSegment of(int records) {
    TableSchema schema = TableSchema.of(TicketTable.schema());
    Segment segment = new Segment(schema);
    Tickets tickets = new Tickets(SEED);
    List<Object[]> rows = new ArrayList<>();
    long bookings = 0;
    while (segment.records() + rows.size() < records) {
      for (Map<String, Object> ticket : tickets.booking(bookings++)) {
        rows.add(stored(schema, ticket));
      }
      if (rows.size() >= STEP) {
        segment.addAll(rows);
        rows.clear();
      }
    }
    segment.addAll(rows);
    return new TicketSegment(schema, segment, bookings);
  }

  private static Object[] stored(TableSchema schema, Map<String, Object> ticket) {
    Object[] row = new Object[schema.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = schema.column(i).stored(ticket.get(schema.column(i).name()));
    }
    return row;
  }

  /** Returns the operation of a statement, which parses it as each statement has to be. */
  Operation operation(String sql) {
    return switch (Parser.parse(schema, "tickets", sql)) {
      case Statement.Select select -> new Operation.Query(select.where(), sink(select));
      case Statement.Update update -> {
        int[] columns = update.columns().stream().mapToInt(Integer::intValue).toArray();
        Object[] stored = new Object[columns.length];
        for (int i = 0; i < columns.length; i++) {
          stored[i] = schema.column(columns[i]).stored(update.values().get(i));
        }
        yield Operation.Change.setting(update.where(), columns, stored);
      }
      default -> throw new IllegalArgumentException("no statement of this benchmark: " + sql);
    };
  }

  /** Returns the size of all numbers of the records' columns, which passes read, in bytes. */
  long numbersBytes() {
    return segment.records()
        * schema.columns().stream().mapToLong(column -> column.type().widthBytes()).sum();
  }

  /** Returns a query for each column that tests it for all records. */
  List<String> testOfEachColumn() {
    List<String> queries = new ArrayList<>();
    TicketTable.columns()
        .forEach(
            (name, type) -> queries.add("SELECT count(*) FROM tickets WHERE " + rare(name, type)));
    return queries;
  }

  private static String rare(String column, String type) {
    String kind = type.replaceAll("[ (].*", "");
    return switch (kind) {
      case "boolean" -> column;
      case "varchar" -> column + " = '~'";
      case "date" -> column + " = '1970-01-01'";
      case "time" -> column + " = '00:00:01'";
      case "timestamp" -> column + " = '1970-01-01 00:00:00'";
      case "enum" -> column + " = '" + type.replaceAll("^enum\\('([^']*)'.*", "$1") + "'";
      default -> column + " = -1";
    };
  }

  /** Returns predicates over the tickets that it has. */
  Predicates predicates() {
    return new Predicates(SEED, new Tickets(SEED), bookings);
  }

  /** Returns a query of so many predicates, up to ten, each of which all records pass. */
  String conjunction(int predicates) {
    List<String> all =
        List.of(
            "fare > 1",
            "distance > 1",
            "agent >= 0",
            "departure >= '2014-01-01'",
            "origin > 'A'",
            "destination > 'A'",
            "bags >= 0",
            "carrier > '0'",
            "flight >= 0",
            "last_name > 'A'");
    return "SELECT count(*) FROM tickets WHERE " + String.join(" AND ", all.subList(0, predicates));
  }

  private Sink sink(Statement.Select select) {
    if (select.groups()) {
      return new GroupSink(
          schema,
          new int[0],
          select.items().stream().flatMap(item -> item.aggregate().stream()).toList(),
          () -> false);
    }
    int[] columns = select.items().stream().mapToInt(Statement.Item::column).toArray();
    return RowSink.keeping(
        schema, columns, select.limit().orElse(Long.MAX_VALUE), () -> false, new ArrayList<>());
  }
}
