package io.uniserve.textindex.schema;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;

/**
 * The schema of documents. The schema document is a map:
 *
 * <ul>
 *   <li>{@code fields}: maps by field name, see {@link FieldDefinition}
 *   <li>{@code defaultField}: the field that is searched if a query names none
 *   <li>{@code refreshIntervalMillis}: the longest time before a change becomes visible to
 *       searches, in the background; ten times as long while changes keep coming and nobody
 *       searches. Default 1000. With 0 a change is visible once it is acknowledged
 *   <li>{@code writeBufferMegabytes}: memory for changes not yet in files, per actor; default 16
 * </ul>
 *
 * @param fields the fields, by name or pattern
 * @param defaultField the field that is searched if a query names none
 * @param refreshIntervalMillis the longest time before a change becomes visible
 * @param writeBufferMegabytes memory for changes not yet in files, per actor
 */
public record SearchSchema(
    Map<String, FieldDefinition> fields,
    Optional<String> defaultField,
    long refreshIntervalMillis,
    long writeBufferMegabytes) {
  private static final int UNWATCHED = 10;
  private static final FieldDefinition ID =
      FieldDefinition.of(
          SortKey.ID,
          new Settings(SortKey.ID, Map.of("type", "keyword", "stored", false, "facet", false)));

  /**
   * Reads a schema document.
   *
   * @param owner the owner of the schema, for errors
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the wrong part
   */
  public static SearchSchema of(String owner, Map<String, Object> document) {
    String where = "schema of " + owner;
    Settings settings = new Settings(where, document);
    Map<String, FieldDefinition> fields = new LinkedHashMap<>();
    Map<?, ?> documents = settings.take("fields", Map.of());
    documents.forEach(
        (name, field) ->
            fields.put(
                "" + name,
                FieldDefinition.of(
                    "" + name, new Settings(where + ", field '" + name + "'", field))));
    SearchSchema schema =
        new SearchSchema(
            Collections.unmodifiableMap(fields),
            Optional.of(settings.take("defaultField", "")).filter(name -> !name.isEmpty()),
            settings.take("refreshIntervalMillis", 1000L),
            settings.take("writeBufferMegabytes", 16L));
    settings.requireAllTaken();
    if (schema.refreshIntervalMillis < 0 || schema.writeBufferMegabytes < 1) {
      throw settings.refused("refreshIntervalMillis below 0 or writeBufferMegabytes below 1");
    }
    if (fields.containsKey(SortKey.ID) || fields.containsKey(SortKey.SCORE)) {
      throw settings.refused("'id' and 'score' name no fields of their own");
    }
    schema.defaultField.ifPresent(schema::require);
    for (FieldDefinition field : fields.values()) {
      for (String target : field.copyTo()) {
        schema.require(target);
        if (target.equals(SortKey.ID)) {
          throw settings.refused("field '" + field.name() + "' cannot be copied to 'id'");
        }
      }
    }
    return schema;
  }

  /**
   * Returns the longest time before a change becomes visible if nobody searches, in milliseconds.
   */
  public long invisibleMillisMax() {
    return UNWATCHED * refreshIntervalMillis;
  }

  /**
   * Returns the definition of a field, if the schema has it, by name or by the longest pattern. A
   * pattern itself is no field, and neither is {@code score}.
   */
  public Optional<FieldDefinition> find(String name) {
    if (name.indexOf('*') >= 0 || name.equals(SortKey.SCORE)) {
      return Optional.empty();
    }
    FieldDefinition exact = name.equals(SortKey.ID) ? ID : fields.get(name);
    return exact != null
        ? Optional.of(exact)
        : fields.values().stream()
            .filter(field -> field.matches(name))
            .max(Comparator.comparingInt(field -> field.name().length()));
  }

  /**
   * Returns the definition of a field.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} naming the field
   */
  public FieldDefinition require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND,
                    name.indexOf('*') < 0
                        ? "undefined field '" + Excerpt.of(name) + "'"
                        : "'" + Excerpt.of(name) + "' is a pattern, not a field"));
  }

  /**
   * Returns an analyzer that follows each field's definition. Phrases do not reach from value to
   * value.
   */
  public Analyzer analyzer() {
    return new DelegatingAnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
      @Override
      protected Analyzer getWrappedAnalyzer(String field) {
        return require(field).analyzer().analyzer();
      }

      @Override
      public int getPositionIncrementGap(String field) {
        return 100;
      }
    };
  }
}
