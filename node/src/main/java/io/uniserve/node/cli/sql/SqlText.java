package io.uniserve.node.cli.sql;

import io.uniserve.node.json.Settings;
import io.uniserve.node.text.Columns;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of a SQL query as a table for people.
 *
 * @param style the style of the terminal
 */
record SqlText(Style style) {
  private static final int VALUE_LENGTH_MAX = 60;
  private static final int ROWS_SHOWN_MAX = 1_000;

  /** The statements that are answered with the number of changed rows, after any comments. */
  private static final Pattern CHANGE =
      Pattern.compile(
          "(?is)(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*+(create|drop|insert|update|delete)\\b");

  /**
   * Returns the lines to show.
   *
   * @param statement that was answered
   */
  List<String> lines(String statement, Map<String, Object> answer) {
    Map<String, Object> result = Settings.object("the answer", answer.get("result"));
    List<?> rows = (List<?>) result.get("rows");
    Matcher change = CHANGE.matcher(statement);
    if (change.lookingAt()) {
      long changed = ((Number) ((List<?>) rows.getFirst()).getFirst()).longValue();
      return List.of(style.faint(done(change.group(1), changed) + " in " + took(answer)));
    }
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

  private static String done(String verb, long rows) {
    String some = Figures.plural(rows, "row");
    return switch (verb.toLowerCase(Locale.ROOT)) {
      case "create" -> rows == 0 ? "created" : "created with " + some;
      case "drop" -> "dropped";
      default -> some + " changed";
    };
  }

  private static String name(Object column) {
    return String.valueOf(((Map<?, ?>) column).get("name"));
  }

  /** Returns a cell. A single column, as of a plan, is shown whole. */
  private static String cell(Object value, int longest) {
    String text = value == null ? "NULL" : value.toString();
    return text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
  }

  private static String took(Map<String, Object> answer) {
    return Figures.duration(
        Duration.ofNanos((long) (((Number) answer.get("tookMillis")).doubleValue() * 1e6)));
  }
}
