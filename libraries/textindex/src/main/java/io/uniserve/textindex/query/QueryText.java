package io.uniserve.textindex.query;

import io.uniserve.api.form.Name;
import java.util.List;
import java.util.Optional;

/** A query as the user wrote it, and its language. */
public sealed interface QueryText {

  /** Returns the user's text. */
  String text();

  /**
   * Lucene's query language: terms, phrases, {@code ~} slop and fuzziness, {@code + - AND OR NOT},
   * ranges, {@code * ?} wildcards, {@code /regular expressions/}, {@code ^} boosts, {@code *:*},
   * {@code field:*}. A text with a syntax error is refused, with the place of the error.
   *
   * @param text the query
   * @param defaultField the field of terms without a field; empty for the schema's
   * @param requireAll true if all terms without an operator must match
   */
  @Name("Lucene")
  record Lucene(String text, Optional<String> defaultField, boolean requireAll)
      implements QueryText {}

  /**
   * Text that people type: words and quoted phrases, each searched in several fields and scored by
   * the best of them, {@code + - AND OR NOT} and {@code field:} where they make sense. It is never
   * refused: text that is no valid operator is read as words.
   *
   * @param text the query
   * @param fields the fields of words without a field
   * @param minimumMatch the number of optional words that must match, in Solr's notation ({@code
   *     2}, {@code 75%}, {@code -1}, {@code 2<-25% 9<-3}); empty for all or one, by {@code
   *     requireAll}
   * @param requireAll true if all words without an operator must match
   * @param tie the share of the other fields' scores that is added to the best, 0 to 1
   */
  @Name("Edismax")
  record Edismax(
      String text,
      List<FieldBoost> fields,
      Optional<String> minimumMatch,
      boolean requireAll,
      float tie)
      implements QueryText {
    /** Copies the fields. */
    public Edismax {
      fields = List.copyOf(fields);
    }
  }

  /**
   * A field with the weight of its matches.
   *
   * @param field a field of the schema
   * @param boost the weight, at least 0; 1 is neutral
   */
  record FieldBoost(String field, float boost) {}

  /**
   * Makes a query in Lucene's language on the schema's default field. Any matching term suffices.
   */
  static QueryText lucene(String text) {
    return new Lucene(text, Optional.empty(), false);
  }
}
