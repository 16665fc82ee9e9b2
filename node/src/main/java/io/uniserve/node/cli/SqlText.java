package io.uniserve.node.cli;

import io.uniserve.node.json.Settings;
import io.uniserve.node.text.Columns;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The answer of a SQL query as a table for people.
 *
 * @param style of the terminal
 */
record SqlText(Style style) {
  private static final int VALUE_LENGTH_MAX = 60;
  private static final int ROWS_SHOWN_MAX = 1_000;

  List<String> lines(Map<String, Object> answer) {
    Map<String, Object> result = Settings.object("the answer", answer.get("result"));
    List<?> rows = (List<?>) result.get("rows");
    Columns columns = new Columns();
    List<?> heads = (List<?>) result.get("columns");
    columns.row(heads.stream().map(SqlText::name).toArray());
    int longest = heads.size() == 1 ? Integer.MAX_VALUE : VALUE_LENGTH_MAX;
    rows.stream()
        .limit(ROWS_SHOWN_MAX)
        .forEach(
            row ->
                columns.row(((List<?>) row).stream().map(value -> cell(value, longest)).toArray()));
    List<String> lines = new ArrayList<>(columns.lines());
    lines.set(0, style.strong(lines.getFirst()));
    if (rows.size() > ROWS_SHOWN_MAX) {
      lines.add("...");
    }
    lines.add(style.faint(Figures.plural(rows.size(), "row") + " in " + took(answer)));
    return lines;
  }

  private static String name(Object column) {
    return String.valueOf(((Map<?, ?>) column).get("name"));
  }

  /** A single column, as of a plan, is shown whole. */
  private static String cell(Object value, int longest) {
    String text = value == null ? "" : value.toString();
    return text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
  }

  private static String took(Map<String, Object> answer) {
    return Figures.duration(
        Duration.ofNanos((long) (((Number) answer.get("tookMillis")).doubleValue() * 1e6)));
  }
}
