package io.uniserve.gateways.solr.fuzz;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A document.
 *
 * @param values the values, by field; a field without values is absent
 */
record Doc(String id, Map<Field, List<Object>> values) {

  List<Object> of(Field field) {
    return field.equals(Field.ID) ? List.of(id) : values.getOrDefault(field, List.of());
  }

  /** These values and those that are copied from them. */
  static Map<Field, List<Object>> withCopies(Map<Field, List<Object>> values, Schema schema) {
    Map<Field, List<Object>> all = new LinkedHashMap<>(values);
    for (Field copy : schema.such(Field::isCopy)) {
      for (Field copied : schema.such(Field::isCopied)) {
        List<Object> copies =
            values.getOrDefault(copied, List.of()).stream()
                .<Object>map(each -> "" + copied.shown(each))
                .toList();
        if (!copies.isEmpty()) {
          all.put(copy, copies);
        }
      }
    }
    return all;
  }

  /** Returns the document as it is sent. */
  Map<String, Object> sent() {
    return such(field -> !field.isCopy());
  }

  /** Returns the document as it comes back. */
  Map<String, Object> shown() {
    return such(Field::stored);
  }

  private Map<String, Object> such(Predicate<Field> which) {
    Map<String, Object> such = new TreeMap<>();
    values.forEach(
        (field, all) -> {
          if (which.test(field)) {
            such.put(
                field.name(),
                field.several()
                    ? all.stream().map(field::shown).toList()
                    : field.shown(all.getFirst()));
          }
        });
    return such;
  }

  /** This document without one field, and without what may be copied from it. */
  Doc without(Field field) {
    Map<Field, List<Object>> fewer = new LinkedHashMap<>(values);
    fewer.remove(field);
    fewer.keySet().removeIf(each -> each.isCopy() && field.isCopied());
    return new Doc(id, fewer);
  }
}
