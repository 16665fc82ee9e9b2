package io.uniserve.sql.backend;

import io.uniserve.api.form.Name;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The schema of a warehouse.
 *
 * @param schema as {@link WarehouseSchema} reads it
 */
@Name("SchemaDocument")
public record SchemaDocument(Map<String, Object> schema) {
  /** Copies the schema, whose order stays. */
  public SchemaDocument {
    schema = Collections.unmodifiableMap(new LinkedHashMap<>(schema));
  }
}
