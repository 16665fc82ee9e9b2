package io.uniserve.sql.backend;

import io.uniserve.api.form.Name;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The schema of a warehouse.
 *
 * @param schema the document that {@link WarehouseSchema} reads
 */
@Name("SchemaDocument")
public record SchemaDocument(Map<String, Object> schema) {
  /** Copies the schema and keeps its order. */
  public SchemaDocument {
    schema = Collections.unmodifiableMap(new LinkedHashMap<>(schema));
  }
}
