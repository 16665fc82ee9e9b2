package io.uniserve.node.demo;

import io.uniserve.node.text.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Films on a terminal.
 *
 * @param style of the terminal
 */
record FilmText(Style style) {
  private static final int WIDTH = 96;

  /** A hit: year, title and genres, and a passage if there is one. */
  List<String> lines(Map<?, ?> hit) {
    Map<?, ?> fields = (Map<?, ?>) hit.get("fields");
    List<String> lines = new ArrayList<>();
    Object genres = fields.get("genres");
    String labels =
        genres instanceof List<?> list
            ? String.join(", ", list.stream().map(String::valueOf).toList())
            : genres == null ? "" : genres.toString();
    lines.add(
        "  "
            + style.faint(fields.get("year") + "  ")
            + fields.get("title")
            + "  "
            + style.faint(labels));
    if (hit.get("highlights") instanceof Map<?, ?> passages) {
      passages.values().forEach(passage -> lines.add("        " + passage((List<?>) passage)));
    }
    return lines;
  }

  private String passage(List<?> passages) {
    String text = passages.isEmpty() ? "" : passages.getFirst().toString().replaceAll("\\s+", " ");
    int from = Math.max(0, text.indexOf("<em>") - WIDTH / 2);
    int to = Math.min(text.length(), from + WIDTH + 18);
    String cut =
        (from > 0 ? "..." : "") + text.substring(from, to) + (to < text.length() ? "..." : "");
    if (!style.coloured()) {
      return cut.replace("<em>", "[").replace("</em>", "]");
    }
    return cut.replace("<em>", "\u001b[33m").replace("</em>", "\u001b[0m") + "\u001b[0m";
  }
}
