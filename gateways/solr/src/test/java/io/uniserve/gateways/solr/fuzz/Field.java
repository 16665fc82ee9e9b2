package io.uniserve.gateways.solr.fuzz;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A field of a generated schema.
 *
 * @param several true if documents may have several values
 * @param listed true if it can be sorted by and counted
 * @param stored true if it comes back
 */
record Field(String name, Kind kind, boolean several, boolean listed, boolean stored) {
  /** The name of every document. */
  static final Field ID = new Field("id", Kind.KEYWORD, false, true, false);

  static final String COPY = "copy";

  /** The pseudo-field of the score. */
  static final Field SCORE = new Field("score", Kind.DOUBLE, false, true, false);

  private static final List<String> KEYWORDS =
      List.of("red fox", "Red", "", "a,b", "*", "x:y(z)", "Ω", "fox", "a\\b", "\"q\"", "ab", "42");
  private static final List<Long> LONGS =
      List.of(-3L, -1L, 0L, 1L, 2L, 7L, 42L, 9007199254740993L, -9007199254740993L);
  private static final List<Double> DOUBLES =
      List.of(-1.5, 0.0, 0.5, 0.1, 2.0, 42.0, 3.14, 1e300, -1e-300);
  private static final List<Long> DATES =
      List.of(
          Instant.parse("2024-02-29T00:00:00Z").toEpochMilli(),
          Instant.parse("2024-02-29T12:00:00Z").toEpochMilli(),
          Instant.parse("2024-02-29T23:59:59.999Z").toEpochMilli(),
          Instant.parse("2024-03-01T00:00:00Z").toEpochMilli(),
          Instant.parse("1969-12-31T23:00:00.001Z").toEpochMilli());

  /** The kind of its values and of their indexing. */
  enum Kind {
    STANDARD,
    SIMPLE,
    WHITESPACE,
    WHOLE,
    KEYWORD,
    LONG,
    DOUBLE,
    DATE;

    boolean text() {
      return compareTo(KEYWORD) < 0;
    }

    boolean numeric() {
      return compareTo(KEYWORD) > 0;
    }
  }

  /** Returns whether it has only values of another field. */
  boolean isCopy() {
    return name.equals(COPY);
  }

  /** Returns whether its values are copied, if there is a field for that. */
  boolean isCopied() {
    return name.equals("f0");
  }

  /** Returns its definition in a schema. */
  Map<String, Object> definition() {
    Map<String, Object> definition = new LinkedHashMap<>();
    definition.put("multiValued", several);
    definition.put("stored", stored);
    if (kind.text()) {
      definition.put("type", "text");
      definition.put("analyzer", kind == Kind.WHOLE ? "keyword" : kind.name().toLowerCase());
    } else {
      definition.put("type", kind.name().toLowerCase());
      definition.put("sortable", listed);
      definition.put("facet", listed);
    }
    return definition;
  }

  /** A value that a document may have: text, or a number, of dates their milliseconds. */
  Object value(Random random) {
    if (this == ID) {
      return Words.any(Changes.IDS, random);
    }
    return switch (kind) {
      case STANDARD, SIMPLE, WHITESPACE, WHOLE -> Words.text(1 + random.nextInt(5), random);
      case KEYWORD -> random.nextBoolean() ? Words.any(KEYWORDS, random) : Words.text(1, random);
      case LONG -> Words.any(LONGS, random);
      case DOUBLE -> Words.any(DOUBLES, random);
      case DATE -> Words.any(DATES, random);
    };
  }

  /** Returns the words that a value is indexed as. */
  List<String> words(Object value) {
    return switch (kind) {
      case STANDARD -> Words.standard((String) value);
      case SIMPLE -> Words.simple((String) value);
      case WHITESPACE -> Arrays.asList(((String) value).split(" "));
      default -> List.of((String) value);
    };
  }

  /** Returns the compared form of a word with wildcards or of the end of a range. */
  String normal(String word) {
    return kind == Kind.STANDARD || kind == Kind.SIMPLE ? Words.lowerCase(word) : word;
  }

  /** The number that a text means here, or none. */
  Optional<Comparable<?>> number(String text) {
    try {
      return Optional.of(
          switch (kind) {
            case LONG -> new BigDecimal(text).longValueExact();
            case DOUBLE -> new BigDecimal(text).doubleValue();
            default -> Instant.parse(text).toEpochMilli();
          });
    } catch (ArithmeticException | NumberFormatException | java.time.DateTimeException e) {
      return Optional.empty();
    }
  }

  /** A value as documents show it. */
  Object shown(Object value) {
    return kind == Kind.DATE ? Instant.ofEpochMilli((Long) value).toString() : value;
  }
}
