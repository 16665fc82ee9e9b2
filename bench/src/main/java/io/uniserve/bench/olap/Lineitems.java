package io.uniserve.bench.olap;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import io.uniserve.bench.base.BenchException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows of TPC-H's table lineitem in a file, with tabs between their values and without their
 * comments.
 *
 * @param file the file
 * @param rows the number of its rows
 */
record Lineitems(Path file, long rows) {
  private static final List<String> COLUMNS =
      List.of(
          "l_orderkey",
          "l_partkey",
          "l_suppkey",
          "l_linenumber",
          "l_quantity",
          "l_extendedprice",
          "l_discount",
          "l_tax",
          "l_returnflag",
          "l_linestatus",
          "l_shipdate",
          "l_commitdate",
          "l_receiptdate",
          "l_shipinstruct",
          "l_shipmode");
  private static final List<String> METRICS =
      List.of("l_quantity", "l_extendedprice", "l_discount", "l_tax");
  private static final String TIME = "l_shipdate";

  /** Returns the rows at a scale factor; the file is made once and kept. */
  static Lineitems all(double scale, Path parent, PrintStream progress) {
    return kept(parent.resolve("lineitem-sf" + scale + ".tsv"), scale, Long.MAX_VALUE, progress);
  }

  /** Returns the first rows, of about so many bytes. */
  static Lineitems some(int megabytes, Path parent, PrintStream progress) {
    return kept(
        parent.resolve("lineitem-" + megabytes + "mb.tsv"), 1, (long) megabytes << 20, progress);
  }

  private static Lineitems kept(Path file, double scale, long bytesMax, PrintStream progress) {
    try {
      if (!Files.exists(file)) {
        progress.println("making " + file.getFileName());
        Path made = file.resolveSibling(file.getFileName() + ".part");
        write(made, scale, bytesMax);
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
      }
      try (var lines = Files.lines(file)) {
        return new Lineitems(file, lines.count());
      }
    } catch (IOException e) {
      throw new BenchException(file + " cannot be made: " + e.getMessage(), e);
    }
  }

  private static void write(Path file, double scale, long bytesMax) throws IOException {
    long bytes = 0;
    Iterator<? extends TpchEntity> rows =
        TpchTable.getTable("lineitem").createGenerator(scale, 1, 1).iterator();
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      while (rows.hasNext() && bytes < bytesMax) {
        String[] values = rows.next().toLine().split("\\|");
        String line = String.join("\t", List.of(values).subList(0, COLUMNS.size()));
        out.write(line);
        out.write('\n');
        bytes += line.length() + 1;
      }
    }
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(","));
  }

  /**
   * Returns the schema of a datasource of such rows, without the braces around it.
   *
   * @param chunks the stretch of time of a segment in Druid
   */
  static String schema(String chunks) {
    List<String> dimensions =
        COLUMNS.stream()
            .filter(column -> !METRICS.contains(column) && !column.equals(TIME))
            .toList();
    String metrics =
        METRICS.stream()
            .map(
                name ->
                    "{\"type\":\"doubleSum\",\"name\":\"%s\",\"fieldName\":\"%s\"}"
                        .formatted(name, name))
            .collect(Collectors.joining(","));
    return """
        "timestampSpec":{"column":"%s","format":"iso"},
        "dimensionsSpec":{"dimensions":[%s]},
        "metricsSpec":[%s],
        "granularitySpec":{"segmentGranularity":"%s","queryGranularity":"none","rollup":false}"""
        .formatted(TIME, quoted(dimensions), metrics, chunks);
  }

  /** Returns the task that appends these rows, the same for every system. */
  String task(String chunks) {
    return """
        {"type":"index_parallel","spec":{
          "dataSchema":{"dataSource":"lineitem",%s},
          "ioConfig":{"type":"index_parallel","appendToExisting":true,
            "inputSource":{"type":"local","baseDir":"%s","filter":"%s"},
            "inputFormat":{"type":"tsv","columns":[%s]}},
          "tuningConfig":{"type":"index_parallel","maxNumConcurrentSubTasks":1,
            "partitionsSpec":{"type":"dynamic"}}}}"""
        .formatted(schema(chunks), file.getParent(), file.getFileName(), quoted(COLUMNS));
  }
}
