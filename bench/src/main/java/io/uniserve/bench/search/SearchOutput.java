package io.uniserve.bench.search;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.report.DocsSection;
import io.uniserve.bench.report.JsonFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The output of results. */
final class SearchOutput {

  private static final String PLOT = "search.svg";

  private SearchOutput() {}

  /** Writes {@code search.md}, {@code search.json} and {@code search.svg} into a directory. */
  static void write(SearchResults results, Path directory) {
    JsonFile.write(directory.resolve("search.json"), SearchJson.of(results));
    write(directory.resolve("search.md"), SearchReport.whole(results) + "\n");
    write(directory.resolve("search.svg"), SearchReport.plot(results.rows()).svg());
  }

  /** Writes the results into their page, and their plot beside it. */
  static void document(SearchResults results, Path pages) {
    DocsSection.replaceIn(pages, "search", SearchReport.section(results, PLOT));
    write(pages.resolve(PLOT), SearchReport.plot(results.rows()).svg());
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new BenchException("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
