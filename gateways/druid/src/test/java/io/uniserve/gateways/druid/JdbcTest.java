package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of JDBC with Avatica's own driver, in both of its forms, on a table of three actors. */
class JdbcTest {
  private static final Path DRIVER = Path.of("target/jdbc-driver/avatica.jar");
  private static final int ROWS = 12_000;

  private static LocalDruid druid;
  private static URLClassLoader loader;
  private static Driver driver;

  /** A form of Avatica's requests. */
  enum Form {
    JSON("/v2/sql/avatica/"),
    PROTOBUF("/v2/sql/avatica-protobuf/");

    private final String path;

    Form(String path) {
      this.path = path;
    }
  }

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException, ReflectiveOperationException {
    // The driver brings its own copy of Avatica, so it has a class loader of its own.
    loader =
        new URLClassLoader(
            new URL[] {DRIVER.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    driver =
        (Driver)
            loader
                .loadClass("org.apache.calcite.avatica.remote.Driver")
                .getDeclaredConstructor()
                .newInstance();
    druid =
        new LocalDruid(
            new TableDefinition(
                "sales",
                OlapEngine.NAME,
                new Partitioner.Hash(3),
                1,
                Durability.NONE,
                Map.of(
                    "timestampSpec",
                    Map.of("column", "time", "format", "iso"),
                    "dimensionsSpec",
                    Map.of(
                        "dimensions",
                        List.of(
                            "shop",
                            Map.of("name", "number", "type", "long"),
                            Map.of("name", "price", "type", "double"))))),
            directory);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(
          Map.of(
              "time",
              "2024-05-01T10:00:00Z",
              "shop",
              i % 2 == 0 ? "north" : "south",
              "number",
              (long) i,
              "price",
              i / 2.0));
    }
    druid.client.load(rows);
  }

  @AfterAll
  static void stop() throws IOException {
    druid.close();
    loader.close();
  }

  private static Connection connect(Form form) throws SQLException {
    String serialization = form == Form.PROTOBUF ? ";serialization=protobuf" : "";
    return driver.connect(
        "jdbc:avatica:remote:url="
            + druid.root()
            + form.path
            + ";transparent_reconnection=true"
            + serialization,
        new Properties());
  }

  /** A stack trace would tell of the inside, and a driver shows it to people. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"request\": \"weird\"}",
        "{\"request\": \"prepareAndExecute\", \"connectionId\": \"none\", \"statementId\": 1,"
            + " \"sql\": \"select 1\", \"maxRowCount\": -1}"
      })
  void noAnswerHasAStackTrace(String request) {
    LocalDruid.Answer answer = druid.post(Form.JSON.path, request);

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.text()).contains("\"error\"").doesNotContain("\\tat ", "io.uniserve");
  }

  @ParameterizedTest
  @EnumSource
  void aStatementGivesTypedRows(Form form) throws SQLException {
    try (Connection connection = connect(form);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT __time, shop, number, price FROM sales WHERE number = 7")) {
      assertThat(rows.getMetaData().getColumnType(1)).isEqualTo(Types.TIMESTAMP);
      assertThat(rows.getMetaData().getColumnType(3)).isEqualTo(Types.BIGINT);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getTimestamp(1, Calendar.getInstance(TimeZone.getTimeZone("UTC"))))
          .isEqualTo(Timestamp.from(Instant.parse("2024-05-01T10:00:00Z")));
      assertThat(rows.getString(2)).isEqualTo("south");
      assertThat(rows.getLong(3)).isEqualTo(7);
      assertThat(rows.getDouble(4)).isEqualTo(3.5);
      assertThat(rows.next()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void rowsComeInFrames(Form form) throws SQLException {
    try (Connection connection = connect(form);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT number FROM sales")) {
      long sum = 0;
      int count = 0;
      while (rows.next()) {
        sum += rows.getLong(1);
        count++;
      }
      assertThat(count).isEqualTo(ROWS);
      assertThat(sum).isEqualTo((long) ROWS * (ROWS - 1) / 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPreparedStatementRunsWithOtherParameters(Form form) throws SQLException {
    try (Connection connection = connect(form);
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM sales WHERE shop = ? AND number < ?")) {
      assertThat(statement.getParameterMetaData().getParameterCount()).isEqualTo(2);
      for (long most : new long[] {10, 100}) {
        statement.setString(1, "north");
        statement.setLong(2, most);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getLong(1)).isEqualTo(most / 2);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStatementGivesNoMoreRowsThanAskedFor(Form form) throws SQLException {
    try (Connection connection = connect(form);
        Statement statement = connection.createStatement()) {
      statement.setMaxRows(3);
      try (ResultSet rows = statement.executeQuery("SELECT number FROM sales")) {
        int count = 0;
        while (rows.next()) {
          count++;
        }
        assertThat(count).isEqualTo(3);
      }
    }
  }

  private static List<String> first(ResultSet rows, String column) throws SQLException {
    List<String> values = new ArrayList<>();
    while (rows.next()) {
      values.add(rows.getString(column));
    }
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void toolsFindSchemasTablesAndColumns(Form form) throws SQLException {
    try (Connection connection = connect(form)) {
      assertThat(first(connection.getMetaData().getCatalogs(), "TABLE_CAT"))
          .containsExactly("druid");
      assertThat(first(connection.getMetaData().getSchemas(), "TABLE_SCHEM"))
          .contains("druid", "INFORMATION_SCHEMA");
      assertThat(
              first(
                  connection
                      .getMetaData()
                      .getTables("druid", "druid", "sa%", new String[] {"TABLE"}),
                  "TABLE_NAME"))
          .containsExactly("sales");
      assertThat(first(connection.getMetaData().getTableTypes(), "TABLE_TYPE")).contains("TABLE");
      try (ResultSet columns = connection.getMetaData().getColumns(null, "druid", "sales", null)) {
        assertThat(columns.next()).isTrue();
        assertThat(columns.getString("COLUMN_NAME")).isEqualTo("__time");
        assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.TIMESTAMP);
        assertThat(columns.getInt("ORDINAL_POSITION")).isEqualTo(1);
        assertThat(first(columns, "COLUMN_NAME")).containsExactly("shop", "number", "price");
      }
      assertThat(first(connection.getMetaData().getColumns(null, null, "none", null), "TABLE_NAME"))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWrongStatementFailsWithItsReason(Form form) throws SQLException {
    try (Connection connection = connect(form);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT absent FROM sales"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42000"))
          .hasMessageContaining("absent");
      statement.addBatch("SELECT 1");
      assertThatThrownBy(statement::executeBatch).hasMessageContaining("batch");
    }
  }

  @Test
  void aConnectionThatIsForgottenIsOpenedAgain() throws SQLException {
    try (Connection connection = connect(Form.JSON);
        Statement statement = connection.createStatement()) {
      druid.restart();
      try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM sales")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isEqualTo(ROWS);
      }
    }
  }
}
