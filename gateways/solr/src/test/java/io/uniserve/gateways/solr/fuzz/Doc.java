package io.uniserve.gateways.solr.fuzz;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A document.
 *
 * @param values by field; a field without values is absent
 */
record Doc(String id, Map<Field, List<Object>> values) {

  List<Object> of(Field field) {
    return field.equals(Field.ID) ? List.of(id) : values.getOrDefault(field, List.of());
  }

  /** As it is sent, and as it comes back. */
  Map<String, Object> shown() {
    Map<String, Object> shown = new TreeMap<>();
    values.forEach(
        (field, all) ->
            shown.put(
                field.name(),
                field.several()
                    ? all.stream().map(field::shown).toList()
                    : field.shown(all.getFirst())));
    return shown;
  }

  /** This document without one field. */
  Doc without(Field field) {
    Map<Field, List<Object>> fewer = new LinkedHashMap<>(values);
    fewer.remove(field);
    return new Doc(id, fewer);
  }
}
