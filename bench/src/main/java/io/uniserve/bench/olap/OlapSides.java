package io.uniserve.bench.olap;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.systems.UniserveProgram;
import io.uniserve.bench.tpch.ColumnTypes;
import io.uniserve.bench.tpch.SqlProcess;
import io.uniserve.bench.tpch.SqlSystem;
import io.uniserve.bench.tpch.TpchFiles;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The systems with all rows: Uniserve as users start it, Druid, Druid's engine alone, and DuckDB.
 */
final class OlapSides implements AutoCloseable {
  static final String UNISERVE = "Uniserve";
  static final String DRUID = "Druid";
  static final String BARE = "bare engine";
  static final String DUCKDB = "DuckDB";

  private static final int ACTORS = 4;
  private static final int THREADS = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, List<Long>> processIds = new LinkedHashMap<>();
  private final Map<String, DruidApi> apis = new LinkedHashMap<>();
  private final Map<String, SqlProcess> alone = new LinkedHashMap<>();
  private final Map<String, Long> loadNanos = new LinkedHashMap<>();
  private final Lineitems rows;

  private OlapSides(Lineitems rows) {
    this.rows = rows;
  }

  /** Starts all systems and loads the rows, by the same task where both have Druid's tasks. */
  static OlapSides start(
      Path directory, Path parent, Lineitems rows, double scale, PrintStream progress) {
    OlapSides sides = new OlapSides(rows);
    try {
      progress.println("starting and loading " + UNISERVE);
      sides.startUniserve(directory.resolve("uniserve"));
      progress.println("starting and loading " + DRUID);
      DruidCluster druid = sides.startDruid(directory.resolve("druid"));
      progress.println("starting " + BARE);
      SqlProcess bare =
          SqlProcess.open(
              BARE,
              DruidPackage.prepare()
                  .command(
                      directory,
                      "2g",
                      "3g",
                      List.of(
                          "io.uniserve.bench.peers.druid.BareDruid", druid.segments().toString())),
              Map.of(),
              directory.resolve("bare.log"));
      sides.alone(BARE, bare);
      progress.println("starting and loading " + DUCKDB);
      sides.alone(
          DUCKDB,
          SqlSystem.DUCKDB.open(
              directory, TpchFiles.of(scale, parent, progress), ColumnTypes.DOUBLE));
      return sides;
    } catch (IOException e) {
      sides.close();
      throw new BenchException("A system does not start: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      sides.close();
      throw e;
    }
  }

  private void alone(String name, SqlProcess process) {
    open.add(process);
    alone.put(name, process);
    processIds.put(name, List.of(process.loaded().processId()));
  }

  private void startUniserve(Path directory) {
    UniserveProgram program =
        UniserveProgram.start(
            ProjectRoot.find(), directory, "3g", OlapTable.reading(rows.file().getParent()));
    open.add(program);
    try (RemoteCluster remote =
        new RemoteCluster("http://127.0.0.1:" + program.address().getPort())) {
      OlapTable.create(remote, ACTORS, 1, List.of());
    }
    DruidApi api = new DruidApi(program.address(), program.address());
    apis.put(UNISERVE, api);
    processIds.put(UNISERVE, List.of(program.processId()));
    loadNanos.put(UNISERVE, api.ingest(rows.task("year"), rows.rows()));
  }

  private DruidCluster startDruid(Path directory) throws IOException {
    Files.createDirectories(directory);
    DruidCluster druid = DruidCluster.start(directory, 1, THREADS, 1);
    open.add(druid);
    DruidApi api = druid.api();
    apis.put(DRUID, api);
    processIds.put(DRUID, druid.processIds());
    loadNanos.put(DRUID, api.ingest(rows.task("year"), rows.rows()));
    return druid;
  }

  /** Returns the names of the systems. */
  List<String> names() {
    return List.copyOf(processIds.keySet());
  }

  /** Returns the processes of a system. */
  List<Long> processIds(String name) {
    return processIds.get(name);
  }

  /** Returns the systems that have Druid's API. */
  Map<String, DruidApi> apis() {
    return apis;
  }

  /** Returns the system that is asked within its process, by name. */
  SqlProcess alone(String name) {
    return alone.get(name);
  }

  /** Returns the time of the load of a system, in nanoseconds. */
  Map<String, Long> loadNanos() {
    return loadNanos;
  }

  Lineitems rows() {
    return rows;
  }

  /** Returns the text of a query for a system that is asked within its process. */
  static String text(String name, OlapQuery query) {
    return name.equals(BARE) ? query.json(OlapQuery.ALWAYS) : query.sql();
  }

  /** Returns a system's answer, as rows of texts. */
  List<List<String>> answer(String name, OlapQuery query) {
    if (apis.containsKey(name)) {
      return apis.get(name).answer(query, OlapQuery.ALWAYS);
    }
    List<List<String>> rowsOrJson = alone.get(name).answer(text(name, query));
    if (!name.equals(BARE)) {
      return rowsOrJson;
    }
    try {
      return DruidApi.rows(query, JSON.readTree(rowsOrJson.getFirst().getFirst()));
    } catch (IOException e) {
      throw new BenchException(name + " gives no JSON: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    for (AutoCloseable one : open.reversed()) {
      try {
        one.close();
      } catch (Exception e) {
        throw new BenchException("A system does not end: " + e.getMessage(), e);
      }
    }
  }
}
