package io.uniserve.bench.systems;

import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.tasks.TaskTranslation;
import java.util.LinkedHashMap;
import java.util.Map;

/** A document as the map of fields that every system accepts. */
public final class DocumentFields {

  private DocumentFields() {}

  public static Map<String, Object> of(BenchDocument document) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", document.id());
    fields.put("title", document.title());
    fields.put("body", document.body());
    fields.put(TaskTranslation.NUMBER_FIELD, (long) document.timeSecond());
    return fields;
  }
}
