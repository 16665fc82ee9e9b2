package io.uniserve.node.demo;

import io.uniserve.node.text.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Films on a terminal.
 *
 * @param style the style of the terminal
 */
record FilmText(Style style) {
  private static final int CONTEXT = 40;

  /**
   * Returns a hit: year, title and genres, and its text around a passage.
   *
   * @param passage the part of the text to show, if the hit has it
   */
  List<String> lines(Map<?, ?> hit, Optional<Pattern> passage) {
    Map<?, ?> fields = (Map<?, ?>) hit.get("fields");
    List<String> lines = new ArrayList<>();
    lines.add(
        "  "
            + style.faint(fields.get("year") + "  ")
            + fields.get("title")
            + "  "
            + style.faint(labels(fields.get("genres"))));
    String text = String.valueOf(fields.get("extract"));
    passage
        .map(pattern -> pattern.matcher(text))
        .filter(Matcher::find)
        .ifPresent(found -> lines.add("        " + around(text, found)));
    return lines;
  }

  private static String labels(Object genres) {
    return switch (genres) {
      case null -> "";
      case List<?> list -> String.join(", ", list.stream().map(String::valueOf).toList());
      default -> genres.toString();
    };
  }

  private String around(String text, Matcher found) {
    int from = Math.max(0, found.start() - CONTEXT);
    int to = Math.min(text.length(), found.end() + CONTEXT);
    String line =
        (from > 0 ? "..." : "")
            + text.substring(from, found.start())
            + style.warm(found.group())
            + text.substring(found.end(), to)
            + (to < text.length() ? "..." : "");
    return line.replaceAll("\\s+", " ");
  }
}
