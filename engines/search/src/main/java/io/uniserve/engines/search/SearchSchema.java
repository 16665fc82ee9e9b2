package io.uniserve.engines.search;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a table's documents are. The schema document is a map:
 *
 * <ul>
 *   <li>{@code fields}: maps by field name, see {@link FieldDefinition}
 *   <li>{@code defaultField}: searched where a query names no field
 *   <li>{@code refreshIntervalMillis}: how long a change may stay invisible to searches; default
 *       1000, 0 for not at all
 *   <li>{@code writeBufferMegabytes}: memory for changes not yet in files, per actor; default 16
 * </ul>
 *
 * @param fields by name or pattern
 * @param defaultField the field searched where a query names none
 * @param refreshIntervalMillis how long a change may stay invisible
 * @param writeBufferMegabytes memory for changes not yet in files, per actor
 */
public record SearchSchema(
    Map<String, FieldDefinition> fields,
    Optional<String> defaultField,
    long refreshIntervalMillis,
    int writeBufferMegabytes) {

  private static final Pattern NAME =
      Pattern.compile("(?!\\*.*\\*)\\*?[\\p{L}_][\\p{L}\\p{N}_.-]*\\*?");

  /** Copies the fields. */
  public SearchSchema {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /**
   * The schema of a table.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong in it
   */
  public static SearchSchema of(TableDefinition table) {
    String where = "schema of table '" + table.name() + "'";
    SchemaDocument document = new SchemaDocument(where, table.schema());
    Map<String, FieldDefinition> fields = new LinkedHashMap<>();
    Map<?, ?> settings = document.read("fields", Map.class, Map.of());
    settings.forEach((name, field) -> fields.put("" + name, field(where, "" + name, field)));
    SearchSchema schema =
        new SearchSchema(
            fields,
            Optional.ofNullable(document.read("defaultField", String.class, null)),
            document.readNumber("refreshIntervalMillis", 1000, 0, 3_600_000),
            (int) document.readNumber("writeBufferMegabytes", 16, 1, 2000));
    document.requireAllRead();
    schema.defaultField.ifPresent(schema::require);
    schema.fields.values().forEach(field -> field.copyTo().forEach(schema::require));
    return schema;
  }

  /** The definition of a field, if the schema has it, by name or by the longest pattern. */
  public Optional<FieldDefinition> find(String name) {
    FieldDefinition exact = fields.get(name);
    if (exact != null) {
      return Optional.of(exact);
    }
    return fields.values().stream()
        .filter(field -> field.matches(name))
        .max(Comparator.comparingInt(field -> field.name().length()));
  }

  /**
   * The definition of a field.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} naming the field
   */
  public FieldDefinition require(String name) {
    return find(name)
        .orElseThrow(
            () -> new UniserveException(ErrorCode.NOT_FOUND, "undefined field '" + name + "'"));
  }

  private static FieldDefinition field(String where, String name, Object settings) {
    SchemaDocument document = new SchemaDocument(where + ", field '" + name + "'", settings);
    if (!NAME.matcher(name).matches() || name.equals(SortKey.ID) || name.equals(SortKey.SCORE)) {
      throw UniserveException.invalid(where + ": '" + name + "' cannot name a field");
    }
    FieldDefinition.Type type = document.readEnum("type", FieldDefinition.Type.values(), null);
    boolean text = type == FieldDefinition.Type.TEXT;
    FieldDefinition field =
        new FieldDefinition(
            name,
            type,
            document.readEnum("analyzer", TextAnalyzer.values(), TextAnalyzer.STANDARD),
            document.read("indexed", Boolean.class, true),
            document.read("stored", Boolean.class, true),
            document.read("sortable", Boolean.class, !text),
            document.read("facet", Boolean.class, !text),
            document.read("multiValued", Boolean.class, false),
            document.readNames("copyTo"));
    document.requireAllRead();
    if (text && field.docValues()) {
      throw UniserveException.invalid(
          where + ": text field '" + name + "' can be neither sortable nor a facet");
    }
    return field;
  }
}
