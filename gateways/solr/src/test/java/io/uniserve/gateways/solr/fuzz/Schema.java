package io.uniserve.gateways.solr.fuzz;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.gateways.solr.fuzz.Field.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A generated schema.
 *
 * @param fields the first is the default field
 */
record Schema(List<Field> fields) {
  private static final String PATTERN_END = "_x";

  static Schema random(Random random) {
    List<Field> fields = new ArrayList<>();
    List<Kind> words = List.of(Kind.STANDARD, Kind.SIMPLE, Kind.WHITESPACE, Kind.KEYWORD);
    Kind first = Words.any(words, random);
    fields.add(new Field("main", first, random.nextBoolean(), random.nextBoolean(), true));
    int count = 3 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      Kind kind = Words.any(List.of(Kind.values()), random);
      fields.add(
          new Field(
              "f" + i, kind, random.nextInt(3) == 0, random.nextInt(5) > 0, random.nextInt(6) > 0));
    }
    boolean several = random.nextBoolean();
    fields.add(new Field("a" + PATTERN_END, Kind.KEYWORD, several, true, true));
    fields.add(new Field("b" + PATTERN_END, Kind.KEYWORD, several, true, true));
    if (random.nextBoolean()) {
      fields.add(new Field(Field.COPY, Kind.KEYWORD, true, random.nextBoolean(), true));
    }
    return new Schema(fields);
  }

  Map<String, Object> document() {
    Map<String, Object> definitions = new LinkedHashMap<>();
    for (Field field : fields) {
      boolean patterned = field.name().endsWith(PATTERN_END);
      Map<String, Object> definition = field.definition();
      if (field.isCopied() && fields.getLast().isCopy()) {
        definition.put("copyTo", List.of(Field.COPY));
      }
      definitions.put(patterned ? "*" + PATTERN_END : field.name(), definition);
    }
    return Map.of(
        "fields", definitions, "defaultField", "main", "refreshIntervalMillis", 3_600_000L);
  }

  TableDefinition table(int actors) {
    return new TableDefinition(
        "t", "search", new Partitioner.Hash(actors), 1, Durability.NONE, document());
  }

  List<Field> such(java.util.function.Predicate<Field> what) {
    return fields.stream().filter(what).toList();
  }

  Field field(String name) {
    return fields.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }
}
