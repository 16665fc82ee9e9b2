package io.uniserve.engines.warehouse.fuzz;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.warehouse.StatementsTest;
import io.uniserve.engines.warehouse.WarehouseActor;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.engines.warehouse.WarehousePlanner;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A warehouse under test: some actors, and tables that come and go. */
final class Warehouse implements AutoCloseable {
  /** The sizes of tables that a query is planned for. */
  enum Sizes {
    /** Those that they have. */
    REAL,
    /** Sizes so large that everything is spread over the actors that can be. */
    LARGE,
    /** Sizes so different that the keys of one table leave out most of another. */
    UNEVEN
  }

  private final LocalTable<WarehouseActor> table;

  Warehouse(int actors, Path directory) throws IOException {
    TableDefinition definition =
        new TableDefinition(
            "shop",
            WarehouseEngine.NAME,
            new Partitioner.Hash(actors),
            1,
            Durability.NONE,
            Map.of());
    table = LocalTable.create(new WarehouseEngine(), definition, directory.resolve("on-" + actors));
  }

  int actors() {
    return table.definition().actors();
  }

  /** Runs what must succeed. */
  void execute(String sql) {
    table.query(new WarehousePlanner().plan(table.definition(), sql, Map.of()));
  }

  Outcome run(String sql, Sizes sizes) {
    try {
      return rows((Map<?, ?>) table.query(plan(sql, sizes)));
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.INVALID_ARGUMENT && e.code().party() != ErrorCode.Party.CALLER) {
        return new Outcome.Broken(e.code() + " " + e.getMessage());
      }
      if (e.getMessage().contains("closed pending")) {
        return new Outcome.Broken(e.code() + " " + e.getMessage());
      }
      return Failures.isOfData(e.getMessage())
          ? new Outcome.Failed(e.getMessage())
          : new Outcome.Refused(
              e.code() + " " + e.getMessage(), e.code() != ErrorCode.INVALID_ARGUMENT);
    } catch (RuntimeException | AssertionError e) {
      return new Outcome.Broken(e.toString());
    }
  }

  private Plan<?> plan(String sql, Sizes sizes) {
    return switch (sizes) {
      case REAL -> new WarehousePlanner().plan(table.definition(), sql, Map.of());
      case LARGE -> StatementsTest.asIfLarge(table.definition(), ActorSql.DUCKDB, sql);
      case UNEVEN -> StatementsTest.asIfUneven(table.definition(), ActorSql.DUCKDB, sql);
    };
  }

  private static Outcome rows(Map<?, ?> answer) {
    List<String> types =
        ((List<?>) answer.get("columns"))
            .stream().map(column -> (String) ((Map<?, ?>) column).get("type")).toList();
    List<String> rows = new ArrayList<>();
    for (Object row : (List<?>) answer.get("rows")) {
      List<String> cells = new ArrayList<>();
      for (Object value : (List<?>) row) {
        cells.add(Cells.text(value, types.get(cells.size())));
      }
      rows.add(String.join(" | ", cells));
    }
    return new Outcome.Rows(rows);
  }

  @Override
  public void close() {
    table.close();
  }
}
