package io.uniserve.textindex.query;

import io.uniserve.api.form.Name;
import java.util.List;
import java.util.Optional;

/** A query as the user wrote it, and the language it is written in. */
public sealed interface QueryText {

  /** What the user wrote. */
  String text();

  /**
   * Lucene's query language: terms, phrases, {@code ~} slop and fuzziness, {@code + - AND OR NOT},
   * ranges, {@code * ?} wildcards, {@code /regular expressions/}, {@code ^} boosts, {@code *:*},
   * {@code field:*}. What it cannot read is refused, with the place of the error.
   *
   * @param text the query
   * @param defaultField searched where the query names no field; empty for the schema's
   * @param requireAll whether terms without an operator must all match
   */
  @Name("Lucene")
  record Lucene(String text, Optional<String> defaultField, boolean requireAll)
      implements QueryText {}

  /**
   * Text that people type: words and quoted phrases, each searched in several fields and scored by
   * the best of them, {@code + - AND OR NOT} and {@code field:} where they make sense. Never
   * refused: what cannot be read as an operator is read as words.
   *
   * @param text the query
   * @param fields searched where the query names no field
   * @param minimumMatch how many of the optional words must match, in Solr's notation ({@code 2},
   *     {@code 75%}, {@code -1}, {@code 2<-25% 9<-3}); empty for all or one, by {@code requireAll}
   * @param requireAll whether words without an operator must all match
   * @param tie how much the fields that are not the best add to the score, 0 to 1
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
   * A field and how much a match in it counts.
   *
   * @param field a field of the schema
   * @param boost at least 0; 1 is neutral
   */
  record FieldBoost(String field, float boost) {}

  /** A query in Lucene's language on the schema's default field, any term sufficing. */
  static QueryText lucene(String text) {
    return new Lucene(text, Optional.empty(), false);
  }
}
