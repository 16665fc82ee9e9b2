package io.uniserve.gateways.solr.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The value that a query looks for in a field. */
sealed interface Sought {

  /** Returns the text behind the field's name. */
  String text();

  /**
   * Returns whether a field has it.
   *
   * @param values the document's values of the field
   * @param all true if all words of a divided part must match
   */
  boolean in(List<Object> values, Field field, boolean all);

  /** Returns whether nothing is left of it after its division into words. */
  default boolean absent(Field field) {
    return false;
  }

  private static boolean anyWord(List<Object> values, Field field, Predicate<String> such) {
    return !field.kind().numeric()
        && values.stream().flatMap(each -> field.words(each).stream()).anyMatch(such);
  }

  private static boolean equal(List<Object> values, Field field, String text) {
    return isDay(field, text)
        ? values.stream().anyMatch(each -> dayOf(field, each).equals(text))
        : field.number(text).filter(values::contains).isPresent();
  }

  private static boolean isDay(Field field, String text) {
    return field.kind() == Field.Kind.DATE && text.matches("\\d{4}-\\d\\d-\\d\\d");
  }

  private static String dayOf(Field field, Object date) {
    return field.shown(date).toString().substring(0, "2024-02-29".length());
  }

  /** A word. */
  record Word(String word) implements Sought {
    @Override
    public String text() {
      return Words.escaped(word);
    }

    @Override
    public boolean in(List<Object> values, Field field, boolean all) {
      if (field.kind().numeric()) {
        return equal(values, field, word);
      }
      Predicate<String> present = each -> anyWord(values, field, each::equals);
      List<String> words = field.words(word);
      return all ? words.stream().allMatch(present) : words.stream().anyMatch(present);
    }

    @Override
    public boolean absent(Field field) {
      return !field.kind().numeric() && field.words(word).isEmpty();
    }
  }

  /**
   * A text in quotes.
   *
   * @param slop the distance that two words may have from where they should be; 0 unless there are
   *     two
   */
  record Phrase(String phrase, int slop) implements Sought {
    @Override
    public String text() {
      String quoted = "\"" + phrase.replaceAll("[\"\\\\]", "\\\\$0") + "\"";
      return slop == 0 ? quoted : quoted + "~" + slop;
    }

    @Override
    public boolean in(List<Object> values, Field field, boolean all) {
      if (field.kind().numeric()) {
        return equal(values, field, phrase);
      }
      List<String> wanted = field.words(phrase);
      return values.stream().anyMatch(each -> in(field.words(each), wanted));
    }

    private boolean in(List<String> words, List<String> wanted) {
      if (slop > 0 && wanted.size() == 2) {
        return IntStream.range(0, words.size())
            .filter(i -> words.get(i).equals(wanted.getFirst()))
            .anyMatch(
                i ->
                    IntStream.range(0, words.size())
                        .filter(j -> words.get(j).equals(wanted.getLast()))
                        .anyMatch(j -> Math.abs(j - 1 - i) <= slop));
      }
      return IntStream.rangeClosed(0, words.size() - wanted.size())
          .anyMatch(i -> words.subList(i, i + wanted.size()).equals(wanted));
    }

    @Override
    public boolean absent(Field field) {
      return !field.kind().numeric() && field.words(phrase).isEmpty();
    }
  }

  /**
   * A range.
   *
   * @param low empty for none
   * @param high empty for none
   */
  record Range(Optional<String> low, Optional<String> high, boolean withLow, boolean withHigh)
      implements Sought {
    @Override
    public String text() {
      return (withLow ? "[" : "{")
          + low.map(Range::end).orElse("*")
          + " TO "
          + high.map(Range::end).orElse("*")
          + (withHigh ? "]" : "}");
    }

    private static String end(String text) {
      return text.matches("[\\w.:-]+") && !text.equals("TO")
          ? text
          : "\"" + text.replaceAll("[\"\\\\]", "\\\\$0") + "\"";
    }

    @Override
    public boolean in(List<Object> values, Field field, boolean all) {
      if (low.isEmpty() && high.isEmpty()) {
        return !values.isEmpty();
      }
      return field.kind().numeric()
          ? values.stream().anyMatch(each -> contains(field, each))
          : anyWord(values, field, each -> contains(field, each));
    }

    private boolean contains(Field field, Object value) {
      int fromLow = low.map(end -> compare(field, value, end)).orElse(1);
      int fromHigh = high.map(end -> compare(field, value, end)).orElse(-1);
      return (fromLow > 0 || fromLow == 0 && withLow)
          && (fromHigh < 0 || fromHigh == 0 && withHigh);
    }

    private static int compare(Field field, Object value, String end) {
      if (!field.kind().numeric()) {
        return Oracle.compareTexts((String) value, field.normal(end));
      }
      return isDay(field, end)
          ? dayOf(field, value).compareTo(end)
          : Oracle.compareNumbers(value, field.number(end).orElseThrow());
    }
  }

  /** Words that a pattern stands for, with {@code *} and {@code ?}, all else taken as it is. */
  record Wildcard(String pattern) implements Sought {
    @Override
    public String text() {
      return parts(pattern, Words::escaped);
    }

    private static String parts(String pattern, UnaryOperator<String> literally) {
      return pattern
          .codePoints()
          .mapToObj(Character::toString)
          .map(each -> each.equals("*") || each.equals("?") ? each : literally.apply(each))
          .collect(Collectors.joining());
    }

    @Override
    public boolean in(List<Object> values, Field field, boolean all) {
      String regex =
          Arrays.stream(field.normal(pattern).split("(?<=[*?])|(?=[*?])"))
              .map(
                  each ->
                      each.equals("*")
                          ? "(?s:.*)"
                          : each.equals("?") ? "(?s:.)" : Pattern.quote(each))
              .collect(Collectors.joining());
      return anyWord(values, field, each -> each.matches(regex));
    }
  }

  /** Words of this form. */
  record Regular(String expression) implements Sought {
    @Override
    public String text() {
      return "/" + expression + "/";
    }

    @Override
    public boolean in(List<Object> values, Field field, boolean all) {
      return anyWord(values, field, each -> each.matches(field.normal(expression)));
    }
  }

  /** Words like this one. */
  record Fuzzy(String word, int edits) implements Sought {
    @Override
    public String text() {
      return Words.escaped(word) + "~" + edits;
    }

    @Override
    public boolean in(List<Object> values, Field field, boolean all) {
      int[] sought = field.normal(word).codePoints().toArray();
      return anyWord(values, field, each -> distance(each.codePoints().toArray(), sought) <= edits);
    }

    /** Letters added, removed, changed, and neighbours exchanged. */
    private static int distance(int[] one, int[] other) {
      int[][] costs = new int[one.length + 1][other.length + 1];
      for (int i = 0; i <= one.length; i++) {
        for (int j = 0; j <= other.length; j++) {
          costs[i][j] = i == 0 || j == 0 ? i + j : cost(costs, one, other, i, j);
        }
      }
      return costs[one.length][other.length];
    }

    private static int cost(int[][] costs, int[] one, int[] other, int i, int j) {
      int least = Math.min(costs[i - 1][j], costs[i][j - 1]) + 1;
      least = Math.min(least, costs[i - 1][j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1));
      boolean exchanged =
          i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      return exchanged ? Math.min(least, costs[i - 2][j - 2] + 1) : least;
    }
  }

  /** Any value. */
  record Anything() implements Sought {
    @Override
    public String text() {
      return "*";
    }

    @Override
    public boolean in(List<Object> values, Field field, boolean all) {
      return !values.isEmpty();
    }
  }
}
