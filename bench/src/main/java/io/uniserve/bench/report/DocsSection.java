package io.uniserve.bench.report;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A part of a Markdown file that a benchmark writes, between the comments {@code <!-- NAME: begin
 * -->} and {@code <!-- NAME: end -->}. The text around it is written by hand and is kept.
 */
public final class DocsSection {

  private DocsSection() {}

  /**
   * Replaces the section in the page of a directory that has a place for it.
   *
   * @throws BenchException if no page has a place for it, or several have one
   */
  public static void replaceIn(Path directory, String name, String text) {
    replace(pageOf(directory, name), name, text);
  }

  private static Path pageOf(Path directory, String name) {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        if (Files.readString(file).contains(begin(name))) {
          found.add(file);
        }
      }
    } catch (IOException e) {
      throw new BenchException("Cannot read " + directory + ": " + e.getMessage(), e);
    }
    if (found.size() != 1) {
      throw new BenchException(
          "%s must be in one page of %s, but is in %s".formatted(begin(name), directory, found));
    }
    return found.getFirst();
  }

  private static String begin(String name) {
    return "<!-- " + name + ": begin -->";
  }

  public static void replace(Path file, String name, String text) {
    try {
      Files.writeString(file, replaced(file, Files.readString(file), name, text));
    } catch (IOException e) {
      throw new BenchException("Cannot update " + file + ": " + e.getMessage(), e);
    }
  }

  static String replaced(Path file, String content, String name, String text) {
    String begin = begin(name);
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
