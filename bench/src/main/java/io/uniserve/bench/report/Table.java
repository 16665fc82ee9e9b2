package io.uniserve.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table of text in Markdown. Its columns are padded, so it also reads well on a terminal. */
public final class Table {

  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... header) {
    rows.add(List.of(header));
  }

  public void add(String... cells) {
    rows.add(List.of(cells));
  }

  @Override
  public String toString() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> rule = new ArrayList<>();
    for (int width : widths) {
      rule.add("-".repeat(width));
    }
    List<List<String>> lines = new ArrayList<>(rows);
    lines.add(1, rule);
    return lines.stream().map(row -> line(row, widths)).collect(Collectors.joining("\n"));
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < cells.size(); i++) {
      line.append(' ').append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length()));
      line.append(" |");
    }
    return line.toString();
  }
}
