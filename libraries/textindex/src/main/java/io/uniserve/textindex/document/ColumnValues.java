package io.uniserve.textindex.document;

import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;

/**
 * The values of a segment's documents by column: those that sort, facets and exports read. Several
 * values of a field come in their order, and each once. Documents are asked for in their order.
 */
public final class ColumnValues {
  private final Map<String, Column> columns = new LinkedHashMap<>();

  /** The values of a field. */
  private interface Column {
    /** Returns the value of a document as users see it, if it has one. */
    Optional<Object> of(int document) throws IOException;
  }

  /**
   * Opens columns of a segment.
   *
   * @param wanted names of fields with columns, and patterns, which choose from the fields with
   *     columns
   */
  public ColumnValues(SearchSchema schema, LeafReader segment, List<String> wanted)
      throws IOException {
    for (String name : names(schema, segment, wanted)) {
      columns.put(name, column(schema.require(name), segment, name));
    }
  }

  private static Set<String> names(SearchSchema schema, LeafReader segment, List<String> wanted) {
    Set<String> names = new LinkedHashSet<>();
    for (String each : wanted) {
      if (FieldSelection.isPattern(each)) {
        Set<String> matching = new TreeSet<>();
        for (FieldInfo field : segment.getFieldInfos()) {
          boolean known = schema.find(field.name).filter(FieldDefinition::docValues).isPresent();
          if (known && FieldSelection.matches(each, field.name)) {
            matching.add(field.name);
          }
        }
        names.addAll(matching);
      } else {
        names.add(each);
      }
    }
    return names;
  }

  private static Column column(FieldDefinition field, LeafReader segment, String name)
      throws IOException {
    if (field.numeric()) {
      SortedNumericDocValues codes = DocValues.getSortedNumeric(segment, name);
      return document -> {
        if (!codes.advanceExact(document)) {
          return Optional.empty();
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < codes.docValueCount(); i++) {
          values.add(field.shown(field.ofCode(codes.nextValue())));
        }
        return shown(field, values);
      };
    }
    SortedSetDocValues texts = DocValues.getSortedSet(segment, name);
    return document -> {
      if (!texts.advanceExact(document)) {
        return Optional.empty();
      }
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < texts.docValueCount(); i++) {
        values.add(texts.lookupOrd(texts.nextOrd()).utf8ToString());
      }
      return shown(field, values);
    };
  }

  private static Optional<Object> shown(FieldDefinition field, List<Object> values) {
    return Optional.of(
        field.multiValued() ? values.stream().distinct().toList() : values.getFirst());
  }

  /** Returns the values of a document by field, in the order in which the fields were named. */
  public Map<String, Object> of(int document) throws IOException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, Column> column : columns.entrySet()) {
      column.getValue().of(document).ifPresent(value -> values.put(column.getKey(), value));
    }
    return values;
  }
}
