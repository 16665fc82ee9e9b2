package io.uniserve.bench.sharedscan;

import io.uniserve.bench.base.BenchException;
import io.uniserve.tickets.TicketStatements;
import io.uniserve.tickets.TicketTable;
import io.uniserve.tickets.Tickets;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Another engine with the tickets in memory, asked by one client. */
final class SqlPeer implements AutoCloseable {
  private static final double NANOS = 1e9;

  /** The columns of the predicates. */
  private static final List<String> INDEXED =
      List.of("rloc", "agency", "origin", "destination", "carrier");

  private final Connection connection;

  private SqlPeer(Connection connection) {
    this.connection = connection;
  }

  /** Makes a DuckDB with the tickets of a file of CSV on one thread. */
  static SqlPeer duckDb(Path csv) {
    try {
      SqlPeer peer = new SqlPeer(DriverManager.getConnection("jdbc:duckdb:"));
      peer.run("SET threads = 1");
      StringBuilder columns = new StringBuilder();
      TicketTable.columns()
          .forEach(
              (name, type) ->
                  columns
                      .append(columns.isEmpty() ? "" : ", ")
                      .append('"')
                      .append(name)
                      .append("\" ")
                      .append(type.startsWith("enum") ? "varchar" : type));
      peer.run("CREATE TABLE tickets (" + columns + ")");
      peer.run("COPY tickets FROM '" + csv + "' (HEADER, NULL '\\N')");
      return peer;
    } catch (SQLException e) {
      throw failed("DuckDB", e);
    }
  }

  /** Makes a SQLite with the tickets of some bookings. */
  static SqlPeer sqlite(long bookings) {
    try {
      SqlPeer peer = new SqlPeer(DriverManager.getConnection("jdbc:sqlite::memory:"));
      List<String> names = List.copyOf(TicketTable.columns().keySet());
      peer.run("CREATE TABLE tickets (\"" + String.join("\", \"", names) + "\")");
      peer.connection.setAutoCommit(false);
      String places = String.join(", ", Collections.nCopies(names.size(), "?"));
      try (PreparedStatement insert =
          peer.connection.prepareStatement("INSERT INTO tickets VALUES (" + places + ")")) {
        for (long booking = 0; booking < bookings; booking++) {
          for (Map<String, Object> ticket : new Tickets(1).booking(booking)) {
            for (int i = 0; i < names.size(); i++) {
              insert.setObject(i + 1, plain(names.get(i), ticket.get(names.get(i))));
            }
            insert.addBatch();
          }
          if (booking % 1_000 == 0) {
            insert.executeBatch();
          }
        }
        insert.executeBatch();
      }
      peer.connection.commit();
      peer.connection.setAutoCommit(true);
      return peer;
    } catch (SQLException e) {
      throw failed("SQLite", e);
    }
  }

  /** SQLite has no decimals: fares are numbers there. */
  private static Object plain(String column, Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case String text when column.equals("fare") || column.equals("tax") -> Double.valueOf(text);
      case null, default -> value;
    };
  }

  /** Writes the tickets of some bookings as CSV. */
  static void write(Path csv, long bookings) {
    List<String> names = List.copyOf(TicketTable.columns().keySet());
    try (BufferedWriter out = Files.newBufferedWriter(csv)) {
      out.write(String.join(",", names) + "\n");
      for (long booking = 0; booking < bookings; booking++) {
        for (Map<String, Object> ticket : new Tickets(1).booking(booking)) {
          List<String> cells = new ArrayList<>();
          for (String name : names) {
            Object value = ticket.get(name);
            cells.add(value == null ? "\\N" : '"' + value.toString().replace("\"", "\"\"") + '"');
          }
          out.write(String.join(",", cells) + "\n");
        }
      }
    } catch (IOException e) {
      throw new BenchException("cannot write " + csv + ": " + e.getMessage(), e);
    }
  }

  /** Makes an index of each column by which statements look for few tickets. */
  void index() {
    try {
      for (String column : INDEXED) {
        run("CREATE INDEX by_" + column + " ON tickets (" + column + ")");
      }
    } catch (SQLException e) {
      throw failed("an index", e);
    }
  }

  /** Returns how many statements a second are done, two queries and an update in turn. */
  double perSecond(TicketStatements statements, Duration time) {
    long began = System.nanoTime();
    long done = 0;
    try {
      while (System.nanoTime() - began < time.toNanos()) {
        ask(statements.query());
        ask(statements.query());
        run(statements.update());
        done += 3;
      }
    } catch (SQLException e) {
      throw failed("a statement", e);
    }
    return done / ((System.nanoTime() - began) / NANOS);
  }

  private void ask(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int i = 1; i <= columns; i++) {
          rows.getObject(i);
        }
      }
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static BenchException failed(String what, SQLException e) {
    return new BenchException(what + " failed: " + e.getMessage(), e);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed("the end", e);
    }
  }
}
