package io.uniserve.bench.tpch;

import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.systems.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The systems that can be compared. */
public enum SqlSystem {
  /** A warehouse of four actors in an embedded cluster. */
  UNISERVE("Uniserve", WarehouseProgram.class),
  /** One database with all the data. */
  DUCKDB("DuckDB", DuckProgram.class),
  /** One database with all the data, in memory. */
  MONETDB("MonetDB", MonetProgram.class),
  /** {@code local[2]}, tables cached in memory. */
  SPARK("Spark", null);

  private static final String HEAP = "2g";

  private final String title;
  private final Class<?> program;

  /**
   * @param program the program of its process; null if it is not a Java program
   */
  SqlSystem(String title, Class<?> program) {
    this.title = title;
    this.program = program;
  }

  /** Returns the name of the system in the report. */
  String title() {
    return title;
  }

  /**
   * Starts the system's process, which loads the data.
   *
   * @param directory the directory for its files and its log
   */
  public SqlProcess open(Path directory, TpchFiles files, ColumnTypes types) throws IOException {
    String name = name().toLowerCase(Locale.ROOT);
    Path own = Files.createDirectories(directory.resolve(name));
    List<String> arguments = List.of(own.toString(), files.folder().toString(), types.name());
    Path log = directory.resolve(name + ".log");
    if (program == null) {
      SparkPython spark = SparkPython.find(ProjectRoot.find());
      return SqlProcess.open(title, spark.command(arguments), spark.variables(), log);
    }
    List<String> command = JavaCommand.of(program, HEAP);
    command.addAll(arguments);
    return SqlProcess.open(title, command, Map.of(), log);
  }
}
