package io.uniserve.bench.tasks;

import io.uniserve.bench.base.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * A task file: lines of {@code Kind: text # freq=…}, blank lines, and comment lines that begin with
 * {@code #}.
 */
public final class TaskFile {

  private static final String FREQUENCIES = " # ";

  private TaskFile() {}

  /** Returns the tasks of a gzip file by kind, in the order of the file. */
  public static Map<String, List<SearchTask>> read(Path file) {
    try (InputStream text = new GZIPInputStream(Files.newInputStream(file));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8))) {
      return parse(file.toString(), lines.lines().toList());
    } catch (IOException e) {
      throw new BenchException("Cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the tasks of some lines.
   *
   * @param name the name of the file in error messages
   */
  static Map<String, List<SearchTask>> parse(String name, List<String> lines) {
    Map<String, List<SearchTask>> tasks = new LinkedHashMap<>();
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        SearchTask task = task(name, number, line);
        tasks.computeIfAbsent(task.kind(), kind -> new ArrayList<>()).add(task);
      }
    }
    return tasks;
  }

  private static SearchTask task(String name, int number, String line) {
    int colon = line.indexOf(':');
    if (colon <= 0) {
      throw new BenchException("%s:%d has no kind: %s".formatted(name, number, line));
    }
    String text = line.substring(colon + 1);
    int frequencies = text.indexOf(FREQUENCIES);
    String query = (frequencies < 0 ? text : text.substring(0, frequencies)).strip();
    if (query.isEmpty()) {
      throw new BenchException("%s:%d has no query: %s".formatted(name, number, line));
    }
    return new SearchTask(line.substring(0, colon).strip(), query);
  }
}
