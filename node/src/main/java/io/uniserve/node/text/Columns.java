package io.uniserve.node.text;

import java.util.ArrayList;
import java.util.List;

/** A layout of text in columns that are as wide as their widest cell. */
public final class Columns {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  /** Adds one row; every row has as many cells as the first. Cells must not be coloured. */
  public Columns row(Object... cells) {
    String[] row = new String[cells.length];
    for (int i = 0; i < cells.length; i++) {
      row[i] = String.valueOf(cells[i]);
    }
    rows.add(row);
    return this;
  }

  /**
   * Returns the lines. A column whose cells, except for the first row, are all figures is aligned
   * right.
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(i == 0 ? "" : GAP).append(cell(row[i], i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private String cell(String text, int column) {
    int width = rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    String space = " ".repeat(width - text.length());
    return figures(column) ? space + text : text + space;
  }

  private boolean figures(int column) {
    return rows.size() > 1
        && rows.stream()
            .skip(1)
            .allMatch(row -> row[column].matches("-|NULL|-?[0-9][0-9.,]*( [A-Za-z]+)?"));
  }
}
