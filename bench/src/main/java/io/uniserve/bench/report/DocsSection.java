package io.uniserve.bench.report;

import io.uniserve.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a Markdown file that a benchmark writes: between the comments {@code <!-- NAME: begin
 * -->} and {@code <!-- NAME: end -->}. What surrounds it is written by hand and stays.
 */
public final class DocsSection {

  private DocsSection() {}

  public static void replace(Path file, String name, String text) {
    try {
      Files.writeString(file, replaced(file, Files.readString(file), name, text));
    } catch (IOException e) {
      throw new BenchException("Cannot update " + file + ": " + e.getMessage(), e);
    }
  }

  static String replaced(Path file, String content, String name, String text) {
    String begin = "<!-- " + name + ": begin -->";
    String end = "<!-- " + name + ": end -->";
    int from = content.indexOf(begin);
    int to = content.indexOf(end);
    if (from < 0 || to < from) {
      throw new BenchException("%s has no %s … %s".formatted(file, begin, end));
    }
    return content.substring(0, from + begin.length())
        + "\n"
        + text.strip()
        + "\n"
        + content.substring(to);
  }
}
