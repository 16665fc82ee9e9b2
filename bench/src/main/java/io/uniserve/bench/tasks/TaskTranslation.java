package io.uniserve.bench.tasks;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The translation of a task into the Lucene query syntax. */
public sealed interface TaskTranslation {

  /** The query into which the task was translated. */
  record Query(String syntax) implements TaskTranslation {}

  /** A task that the Lucene query syntax cannot express. */
  record LeftOut(String reason) implements TaskTranslation {}

  /** The field that stands for the task file's {@code timesecnum}. */
  String NUMBER_FIELD = "timesecnum";

  /**
   * Translates a task. Terms, phrases, boolean queries, prefixes, wildcards and fuzzy terms stay as
   * they are. A numeric range becomes a range over {@link #NUMBER_FIELD}. A span query (ordered,
   * within 10 positions) becomes the sloppy phrase with slop 10, the closest query of the syntax.
   */
  static TaskTranslation of(SearchTask task) {
    String text = task.text();
    if (task.kind().equals("Respell")) {
      return new LeftOut("asks for corrections of a word, finds no documents");
    }
    if (text.startsWith("ordered//")) {
      return new LeftOut("an interval query; the same words run as the sloppy phrase of SpanNear");
    }
    if (text.startsWith("near//")) {
      return new Query('"' + text.substring("near//".length()) + "\"~10");
    }
    if (text.startsWith("nrq//")) {
      return range(text);
    }
    return text.startsWith("\"") ? new Query(text) : new Query(words(text));
  }

  private static TaskTranslation range(String text) {
    String[] parts = text.substring("nrq//".length()).split(" ");
    return new Query("%s:[%s TO %s]".formatted(NUMBER_FIELD, parts[1], parts[2]));
  }

  private static String words(String text) {
    return Arrays.stream(text.split(" +"))
        .map(TaskTranslation::word)
        .collect(Collectors.joining(" "));
  }

  /** Translates one clause. A required word keeps its plus, a fuzzy word its tilde and distance. */
  private static String word(String clause) {
    String required = clause.startsWith("+") && clause.length() > 1 ? "+" : "";
    String word = clause.substring(required.length());
    int tilde = word.lastIndexOf('~');
    String suffix = tilde > 0 ? word.substring(tilde) : "";
    return required + escape(word.substring(0, word.length() - suffix.length())) + suffix;
  }

  /**
   * Escapes every character that the syntax would take for an operator, except the wildcards of a
   * task.
   */
  private static String escape(String word) {
    StringBuilder escaped = new StringBuilder();
    for (char character : word.toCharArray()) {
      if ("+-&|!(){}[]^\"~:\\/".indexOf(character) >= 0) {
        escaped.append('\\');
      }
      escaped.append(character);
    }
    return escaped.toString();
  }
}
