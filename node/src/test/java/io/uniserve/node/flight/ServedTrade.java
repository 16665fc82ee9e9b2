package io.uniserve.node.flight;

import io.uniserve.node.rpc.RpcService;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The cluster of {@link Trade}, served without encryption to all tests of a class. */
abstract class ServedTrade {
  @TempDir static Path directory;
  static Trade trade;
  static RpcService service;

  @BeforeAll
  static void start() {
    trade = new Trade(directory.resolve("data"));
    service = trade.serve();
  }

  @AfterAll
  static void stop() {
    service.close();
    trade.close();
  }

  /** Connects the JDBC driver to the warehouse {@code trade}. */
  static Connection connect() throws SQLException {
    return Jdbc.connect(service, "useEncryption=false&warehouse=trade");
  }
}
