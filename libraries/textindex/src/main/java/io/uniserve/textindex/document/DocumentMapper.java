package io.uniserve.textindex.document;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.util.BytesRef;

/** The conversion of documents to Lucene's fields, and of stored fields back. */
public record DocumentMapper(SearchSchema schema) {

  /**
   * Returns the fields that Lucene indexes of a document.
   *
   * @param fields the values by name: {@link String}, a number, {@link Boolean}, or a list of
   *     these; {@code null} counts as absent
   * @throws UniserveException naming the field and the value that the schema refuses
   */
  public List<IndexableField> toLucene(String id, Map<String, Object> fields) {
    List<IndexableField> out = new ArrayList<>();
    addValue(SortKey.ID, id, out);
    out.add(DocumentIds.field(id));
    fields.forEach((name, value) -> addField(name, value, out));
    copies(fields).forEach((name, values) -> addCopies(name, fields.get(name), values, out));
    return out;
  }

  /** Returns the values that fields get from others, by field name. */
  private Map<String, List<Object>> copies(Map<String, Object> fields) {
    Map<String, List<Object>> copies = new LinkedHashMap<>();
    fields.forEach(
        (name, value) -> {
          for (String target : schema.require(name).copyTo()) {
            copies.computeIfAbsent(target, none -> new ArrayList<>()).addAll(values(value));
          }
        });
    return copies;
  }

  private void addCopies(String name, Object own, List<Object> copies, List<IndexableField> out) {
    int count = values(own).size() + copies.size();
    if (count > 1 && !schema.require(name).multiValued()) {
      throw UniserveException.invalid(
          "field '" + name + "' has one value, not " + count + " of its own and of other fields");
    }
    copies.forEach(each -> addValue(name, each, out));
  }

  private static List<?> values(Object value) {
    List<?> values = value instanceof List<?> list ? list : Collections.singletonList(value);
    return values.stream().filter(Objects::nonNull).toList();
  }

  private void addField(String name, Object value, List<IndexableField> out) {
    FieldDefinition field = schema.require(name);
    List<?> values = values(value);
    if (values.size() > 1 && !field.multiValued() || name.equals(SortKey.ID)) {
      throw UniserveException.invalid(
          "field '" + name + "' has one value, not " + Excerpt.of(values));
    }
    values.forEach(each -> addValue(name, each, out));
  }

  private void addValue(String name, Object raw, List<IndexableField> out) {
    FieldDefinition field = schema.require(name);
    Object value = field.valueOf(name, raw);
    if (field.indexed()) {
      out.add(indexed(name, field, value));
    }
    if (field.stored()) {
      out.add(
          switch (value) {
            case Long number -> new StoredField(name, number);
            case Double number -> new StoredField(name, number);
            default -> new StoredField(name, (String) value);
          });
    }
    if (field.docValues()) {
      out.add(
          field.numeric()
              ? new SortedNumericDocValuesField(name, field.codeOf(name, raw))
              : new SortedSetDocValuesField(name, new BytesRef((String) value)));
    }
  }

  private static IndexableField indexed(String name, FieldDefinition field, Object value) {
    return switch (field.type()) {
      case TEXT -> new TextField(name, (String) value, Field.Store.NO);
      case KEYWORD -> new StringField(name, (String) value, Field.Store.NO);
      case DOUBLE -> new DoublePoint(name, (Double) value);
      case LONG, DATE -> new LongPoint(name, (Long) value);
    };
  }

  /** Returns the wanted stored fields of a document, as users see them. */
  @SuppressWarnings("unchecked")
  public Map<String, Object> fields(StoredFields stored, int document, FieldSelection wanted)
      throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (IndexableField value : wanted.of(stored, document)) {
      FieldDefinition field = schema.require(value.name());
      Object shown = field.shown(field.numeric() ? value.numericValue() : value.stringValue());
      if (field.multiValued()) {
        ((List<Object>) fields.computeIfAbsent(value.name(), name -> new ArrayList<>())).add(shown);
      } else {
        fields.put(value.name(), shown);
      }
    }
    return fields;
  }
}
