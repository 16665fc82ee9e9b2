package io.uniserve.gateways.solr.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** A maker of random documents and changes of them. */
public record Changes(Schema schema, Random random) {
  static final List<String> IDS =
      Stream.concat(
              Stream.of("é", "a b", "X", "x", "😀", "10", "9", "\"", "*", "a:b"),
              Stream.iterate(0, i -> i < 150, i -> i + 1).map(i -> "d" + i))
          .toList();

  /** Changes, half the time such as only add documents that were not there. */
  List<Change> any() {
    boolean untouched = random.nextBoolean();
    Set<String> used = new HashSet<>();
    List<Change> changes = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      List<Doc> added = new ArrayList<>();
      for (int j = random.nextInt(random.nextInt(6) == 0 ? 120 : 15); j >= 0; j--) {
        String id = Words.any(IDS, random);
        if (used.add(id) || !untouched) {
          added.add(new Doc(id, values()));
        }
      }
      if (!added.isEmpty()) {
        changes.add(new Change.Add(added));
      }
      if (!untouched && random.nextInt(3) == 0) {
        changes.add(
            random.nextBoolean()
                ? new Change.Delete(Words.any(IDS, random))
                : new Change.DeleteMatching(new Queries(schema, random, false).alone(2)));
      }
    }
    return changes;
  }

  private Map<Field, List<Object>> values() {
    Map<Field, List<Object>> values = new LinkedHashMap<>();
    for (Field field : schema.fields()) {
      int count =
          field.isCopy() || random.nextInt(4) == 0
              ? 0
              : field.several() ? 1 + random.nextInt(3) : 1;
      if (count > 0) {
        values.put(field, Stream.generate(() -> field.value(random)).limit(count).toList());
      }
    }
    return Doc.withCopies(values, schema);
  }

  /** Returns whether no document was replaced or deleted. */
  static boolean untouched(List<Change> changes) {
    Set<String> ids = new HashSet<>();
    return changes.stream()
        .allMatch(
            change ->
                change instanceof Change.Add add
                    && add.added().stream().allMatch(each -> ids.add(each.id())));
  }
}
