package io.uniserve.node.cli.cluster;

import io.uniserve.node.json.Json;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The answer of a query for people: hits one by one if it has any, otherwise its JSON.
 *
 * @param style the style of the terminal
 */
record AnswerText(Style style) {
  private static final int VALUE_LENGTH_MAX = 160;

  List<String> lines(Map<String, Object> answer) {
    List<String> lines = new ArrayList<>();
    if (answer.get("coverage") instanceof Map<?, ?> coverage) {
      addCoverage(coverage, lines);
    }
    if (answer.get("result") instanceof Map<?, ?> result
        && result.get("hits") instanceof List<?> hits) {
      lines.add(style.faint(summary(answer, result)));
      hits.forEach(hit -> addHit((Map<?, ?>) hit, lines));
      result.forEach((name, part) -> addPart(name, part, lines));
    } else {
      Json.pretty(answer.get("result")).lines().forEach(lines::add);
    }
    return lines;
  }

  private void addCoverage(Map<?, ?> coverage, List<String> lines) {
    if (coverage.get("missing") instanceof List<?> missing && !missing.isEmpty()) {
      lines.add(
          style.bad(
              "Partial: " + coverage.get("answered") + " of " + coverage.get("asked") + " actors"));
      for (Object one : missing) {
        if (one instanceof Map<?, ?> actor) {
          lines.add(
              "    " + actor.get("table") + "/" + actor.get("actor") + ": " + actor.get("why"));
        }
      }
    }
  }

  private static String summary(Map<String, Object> answer, Map<?, ?> result) {
    Duration took =
        Duration.ofNanos((long) (((Number) answer.get("tookMillis")).doubleValue() * 1e6));
    return result.get("total") instanceof Long total
        ? Figures.plural(total, "match") + " in " + Figures.duration(took)
        : Figures.duration(took);
  }

  private void addHit(Map<?, ?> hit, List<String> lines) {
    String score =
        hit.get("score") instanceof Double value ? String.format(Locale.ROOT, "%.3f", value) : "";
    lines.add(style.strong(String.valueOf(hit.get("id"))) + "  " + style.faint(score));
    if (hit.get("fields") instanceof Map<?, ?> fields) {
      fields.forEach(
          (name, value) -> lines.add("    " + style.cool(name + ": ") + shortened(value)));
    }
  }

  private void addPart(Object name, Object part, List<String> lines) {
    if (name.equals("facets") && part instanceof Map<?, ?> facets && !facets.isEmpty()) {
      Json.pretty(Map.of("facets", facets)).lines().forEach(lines::add);
    }
  }

  private static String shortened(Object value) {
    String text = value instanceof String string ? string : Json.text(value);
    return text.length() <= VALUE_LENGTH_MAX
        ? text
        : text.substring(0, VALUE_LENGTH_MAX - 3) + "...";
  }
}
