package io.uniserve.gateways.solr.fuzz;

import io.uniserve.gateways.solr.fuzz.Field.Kind;
import io.uniserve.gateways.solr.fuzz.Query.All;
import io.uniserve.gateways.solr.fuzz.Query.Boosted;
import io.uniserve.gateways.solr.fuzz.Query.Clause;
import io.uniserve.gateways.solr.fuzz.Query.Clauses;
import io.uniserve.gateways.solr.fuzz.Query.Exact;
import io.uniserve.gateways.solr.fuzz.Query.Extended;
import io.uniserve.gateways.solr.fuzz.Query.Joined;
import io.uniserve.gateways.solr.fuzz.Query.Leaf;
import io.uniserve.gateways.solr.fuzz.Query.Within;
import io.uniserve.gateways.solr.fuzz.Sought.Anything;
import io.uniserve.gateways.solr.fuzz.Sought.Fuzzy;
import io.uniserve.gateways.solr.fuzz.Sought.Phrase;
import io.uniserve.gateways.solr.fuzz.Sought.Range;
import io.uniserve.gateways.solr.fuzz.Sought.Regular;
import io.uniserve.gateways.solr.fuzz.Sought.Wildcard;
import io.uniserve.gateways.solr.fuzz.Sought.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A maker of random queries.
 *
 * @param fuzzy true if they may have fuzzy words, by which nothing can be deleted
 */
record Queries(Schema schema, Random random, boolean fuzzy) {
  private static final List<String> MARKS = List.of("", "", "", "+", "-", "NOT ");
  private static final List<String> BOOSTS = List.of("2", "0.5", "0");

  /** A query that may hold queries, down to so many levels. */
  Query any(int depth) {
    int choice = random.nextInt(10);
    if (depth > 0 && choice < 5) {
      return clauses(1 + random.nextInt(4), () -> any(depth - 1));
    }
    if (depth > 0 && choice == 5) {
      return new Boosted(leaf(), Words.any(BOOSTS, random));
    }
    if (depth > 0 && choice == 6) {
      Field field = Words.any(schema.such(each -> !each.kind().numeric()), random);
      Query within = clauses(1 + random.nextInt(3), () -> new Leaf(Optional.empty(), word(field)));
      return new Within(field, within);
    }
    return choice == 7 && random.nextInt(3) == 0
        ? new All(random.nextBoolean() ? "*" : "*:*")
        : leaf();
  }

  /** A query that may have local parameters. */
  Query alone(int depth) {
    List<Field> exact = schema.such(each -> !each.kind().text());
    return switch (random.nextInt(8)) {
      case 0 -> {
        Field field = random.nextInt(4) == 0 ? Field.ID : Words.any(exact, random);
        boolean number = field.kind().numeric();
        yield new Exact(field, number ? numberText(field) : (String) field.value(random));
      }
      case 1 -> new Extended(several(), random.nextBoolean(), any(depth));
      default -> any(depth);
    };
  }

  /** Some fields, of any kinds. */
  List<Field> several() {
    return Stream.generate(() -> Words.any(schema.fields(), random))
        .limit(1 + random.nextInt(3))
        .distinct()
        .toList();
  }

  private Clauses clauses(int count, Supplier<Query> each) {
    List<Clause> clauses = new ArrayList<>();
    IntStream.range(0, count)
        .forEach(
            i ->
                clauses.add(
                    new Clause(
                        i == 0 ? Joined.NOT_AT_ALL : Words.any(List.of(Joined.values()), random),
                        Words.any(MARKS, random),
                        each.get())));
    return new Clauses(clauses);
  }

  private Query leaf() {
    if (random.nextInt(3) == 0) {
      return new Leaf(Optional.empty(), word(schema.fields().getFirst()));
    }
    Field field = random.nextInt(12) == 0 ? Field.ID : Words.any(schema.fields(), random);
    return new Leaf(Optional.of(field), field.kind().numeric() ? number(field) : words(field));
  }

  private Sought number(Field field) {
    return switch (random.nextInt(5)) {
      case 0 -> new Anything();
      case 1 -> new Word(numberText(field));
      case 2 -> new Phrase(numberText(field), 0);
      default -> range(() -> numberText(field));
    };
  }

  private String numberText(Field field) {
    String text = field.shown(field.value(random)).toString();
    return field.kind() == Kind.DATE && random.nextBoolean()
        ? text.substring(0, "2024-02-29".length())
        : text;
  }

  private Sought range(Supplier<String> end) {
    return new Range(
        random.nextInt(4) == 0 ? Optional.empty() : Optional.of(end.get()),
        random.nextInt(4) == 0 ? Optional.empty() : Optional.of(end.get()),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private Sought words(Field field) {
    return switch (random.nextInt(7)) {
      case 0 -> new Anything();
      case 1 -> range(() -> nonEmpty(field));
      case 2 ->
          field.kind() == Kind.KEYWORD ? new Phrase((String) field.value(random), 0) : word(field);
      default -> word(field);
    };
  }

  private String nonEmpty(Field field) {
    String text = field.kind() == Kind.STANDARD ? "" : (String) field.value(random);
    return text.isEmpty() ? Words.any(Words.ALL, random) : text;
  }

  /** Makes a sought word that can be written with or without the field's name. */
  private Sought word(Field field) {
    return switch (random.nextInt(7)) {
      case 6 -> new Regular(expression());
      case 0 -> new Phrase(Words.text(1 + random.nextInt(3), random), 0);
      case 1 -> sloppy();
      case 2 -> new Wildcard(pattern(Words.any(Words.ALL, random)));
      case 3 -> fuzzy ? new Fuzzy(Words.any(Words.ALL, random), 1 + random.nextInt(2)) : part();
      case 4 -> field.kind() == Kind.KEYWORD ? exact(field) : part();
      default -> part();
    };
  }

  private Sought part() {
    return new Word(Words.text(random.nextInt(5) == 0 ? 2 : 1, random));
  }

  /** A value of a keyword that words are not made of is no word of a text. */
  private Sought exact(Field field) {
    String value = (String) field.value(random);
    boolean everywhere = schema.such(each -> each.kind() == Kind.STANDARD).isEmpty();
    boolean plain = Words.ALL.contains(value) || everywhere && !value.isEmpty();
    return plain ? new Phrase(value, 0) : part();
  }

  private Sought sloppy() {
    String one = plain();
    String other = plain();
    return new Phrase(one + " " + other, one.equals(other) ? 0 : random.nextInt(4));
  }

  private String plain() {
    return Words.any(Words.ALL.stream().filter(each -> each.matches("[a-z]+")).toList(), random);
  }

  private String expression() {
    String word = plain();
    int at = random.nextInt(word.length());
    String before = word.substring(0, at);
    String after = word.substring(at + 1);
    return switch (random.nextInt(5)) {
      case 0 -> before + "." + after;
      case 1 -> before + "[a-m]+" + after;
      case 2 -> before + "(" + word.charAt(at) + "|og)" + after;
      case 3 -> before + word.charAt(at) + "?" + after + ".*";
      default -> before + "[^f]{0,2}" + after;
    };
  }

  private String pattern(String word) {
    int[] letters = word.codePoints().toArray();
    int at = random.nextInt(letters.length);
    String before = new String(letters, 0, at);
    String after = new String(letters, at + 1, letters.length - at - 1);
    return switch (random.nextInt(4)) {
      case 0 -> new String(letters, 0, at + 1) + "*";
      case 1 -> before + "?" + after;
      case 2 -> before + "*" + new String(letters, at, letters.length - at);
      default -> "?" + "*" + after;
    };
  }
}
