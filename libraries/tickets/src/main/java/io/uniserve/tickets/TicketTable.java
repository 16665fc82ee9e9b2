package io.uniserve.tickets;

import java.util.LinkedHashMap;
import java.util.Map;

/** The columns of the table. */
public final class TicketTable {
  private TicketTable() {}

  /** Returns the schema of the table, for the engine {@code sharedscan}: 47 columns. */
  public static Map<String, Object> schema() {
    return Map.of("columns", columns(), "partitionBy", "rloc");
  }

  /** Returns the types of the columns by their names, in their order. */
  public static Map<String, String> columns() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("rloc", "varchar(6) not null");
    columns.put("passenger", "tinyint not null");
    columns.put("created", "timestamp not null");
    person(columns);
    flight(columns);
    columns.put("class", "enum('F','C','W','Y') not null");
    columns.put("booking_class", "varchar(1) not null");
    columns.put("fare_basis", "varchar(8) not null");
    columns.put("seat", "varchar(4)");
    columns.put("fare", "decimal(10,2) not null");
    columns.put("tax", "decimal(10,2) not null");
    columns.put("currency", "varchar(3) not null");
    columns.put("payment", "enum('card','invoice','miles','cash') not null");
    columns.put("diet", "enum('vegetarian','vegan','kosher','halal','gluten-free','diabetic')");
    services(columns);
    columns.put("status", "enum('open','checked','boarded','flown','cancelled') not null");
    columns.put("delay", "smallint");
    columns.put("agency", "varchar(8) not null");
    columns.put("agent", "integer not null");
    columns.put("channel", "enum('web','app','agency','desk','phone') not null");
    columns.put("remarks", "varchar");
    return columns;
  }

  private static void person(Map<String, String> columns) {
    columns.put("last_name", "varchar(40) not null");
    columns.put("first_name", "varchar(40) not null");
    columns.put("title", "enum('MR','MRS','MS','DR','CHD') not null");
    columns.put("born", "date");
    columns.put("nationality", "varchar(2) not null");
    columns.put("phone", "varchar(20)");
    columns.put("email", "varchar(80)");
    columns.put("frequent_flyer", "varchar(12)");
    columns.put("tier", "enum('blue','silver','gold','platinum')");
  }

  private static void flight(Map<String, String> columns) {
    columns.put("carrier", "varchar(2) not null");
    columns.put("flight", "smallint not null");
    columns.put("origin", "varchar(3) not null");
    columns.put("origin_state", "varchar(2) not null");
    columns.put("destination", "varchar(3) not null");
    columns.put("destination_state", "varchar(2) not null");
    columns.put("departure", "date not null");
    columns.put("departure_time", "time not null");
    columns.put("distance", "smallint not null");
  }

  private static void services(Map<String, String> columns) {
    columns.put("bags", "tinyint not null");
    columns.put("bag_kilos", "smallint");
    columns.put("wheelchair", "boolean not null");
    columns.put("blind", "boolean not null");
    columns.put("deaf", "boolean not null");
    columns.put("unaccompanied", "boolean not null");
    columns.put("infant", "boolean not null");
    columns.put("pet", "boolean not null");
    columns.put("oversize", "boolean not null");
    columns.put("upgraded", "boolean not null");
    columns.put("insured", "boolean not null");
  }
}
