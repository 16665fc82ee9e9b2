package io.uniserve.gateways.solr.fuzz;

import io.uniserve.gateways.solr.fuzz.Field.Kind;
import io.uniserve.gateways.solr.fuzz.Request.Facet;
import io.uniserve.gateways.solr.fuzz.Request.Sort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A maker of random requests.
 *
 * @param untouched true if no document was ever replaced or deleted
 */
record Requests(Schema schema, Random random, boolean untouched) {
  private static final List<String> SHOWN =
      List.of("*", "*_x", "f*", "?1", "main", "f0", "a*x", "score");
  private static final List<String> SHARES = List.of("1", "2", "50%", "-1", "-50%", "100%");

  Request any() {
    boolean extended = random.nextInt(3) == 0;
    Queries queries = new Queries(schema, random, true);
    Query query = queries.any(3);
    boolean several = query instanceof Query.Clauses clauses && clauses.clauses().size() > 1;
    boolean atLeast = extended && several && allHaveWords() && random.nextBoolean();
    return new Request(
        query,
        extended ? "edismax" : "lucene",
        random.nextInt(4) == 0,
        extended ? queries.several() : List.of(wordField()),
        atLeast ? Optional.of(Words.any(SHARES, random)) : Optional.empty(),
        list(2, () -> queries.alone(2)),
        list(3, this::sort),
        random.nextInt(3) == 0 ? random.nextInt(random.nextBoolean() ? 10 : 100) : 0,
        random.nextInt(3) == 0 ? random.nextInt(8) : Request.ALL,
        random.nextBoolean() ? facets() : List.of(),
        random.nextBoolean() ? List.of() : list(3, () -> Words.any(SHOWN, random)));
  }

  /** Clauses are counted, so that none may turn out to be absent. */
  private boolean allHaveWords() {
    return schema.such(each -> each.kind() == Kind.SIMPLE).isEmpty();
  }

  private <T> List<T> list(int most, Supplier<T> each) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      T next = each.get();
      if (!list.contains(next)) {
        list.add(next);
      }
    }
    return list;
  }

  private Field wordField() {
    return random.nextBoolean()
        ? schema.fields().getFirst()
        : Words.any(schema.such(each -> !each.kind().numeric()), random);
  }

  private List<Field> listed() {
    return schema.such(each -> each.listed() && !each.kind().text());
  }

  private Sort sort() {
    Field field =
        switch (random.nextInt(8)) {
          case 0 -> Field.ID;
          case 1 -> Field.SCORE;
          default -> Words.any(listed(), random);
        };
    return new Sort(field, random.nextBoolean());
  }

  /** A field is counted in one way, since parameters are for a field. */
  private List<Facet> facets() {
    List<Facet> facets = new ArrayList<>();
    list(3, () -> Words.any(listed(), random)).forEach(each -> facets.add(facet(each)));
    return facets;
  }

  private Facet facet(Field field) {
    boolean number = field.kind() == Kind.LONG || field.kind() == Kind.DOUBLE;
    if (random.nextInt(4) == 0) {
      return new Facet.Matching(new Queries(schema, random, true).alone(1));
    }
    if (number && random.nextBoolean()) {
      long start = random.nextInt(5) - 3;
      return new Facet.Ranges(field, start, start + 1 + random.nextInt(10), 1 + random.nextInt(4));
    }
    if (field.kind() == Kind.DATE && random.nextBoolean()) {
      Instant start = Instant.parse("2024-02-28T00:00:00Z");
      return new Facet.Hours(field, start, 1 + random.nextInt(30), 1 + random.nextInt(9));
    }
    boolean prefixed = !field.kind().numeric() && random.nextInt(3) == 0;
    return new Facet.Values(
        field,
        prefixed ? Words.any(List.of("f", "Ü", "red", "4"), random) : "",
        (untouched ? 0 : 1) + random.nextInt(2),
        random.nextInt(3) == 0 ? random.nextInt(3) : 0,
        random.nextInt(3) == 0 ? -1 : 1 + random.nextInt(9),
        random.nextBoolean(),
        random.nextBoolean());
  }
}
