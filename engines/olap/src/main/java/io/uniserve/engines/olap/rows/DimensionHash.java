package io.uniserve.engines.olap.rows;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.druid.data.input.Rows;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnType;

/**
 * The hash of a row's dimensions, which is the same for the row as it came and for the row as a
 * segment has stored it. Dimensions whose types follow from the data are left out, since each
 * segment may store them otherwise.
 */
final class DimensionHash {
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private final DimensionsSpec dimensions;
  private final List<String> declared;
  private final List<String> declaredInOrder;

  DimensionHash(DimensionsSpec dimensions) {
    this.dimensions = dimensions;
    declared = dimensions.getDimensionNames();
    declaredInOrder = declared.stream().sorted().toList();
  }

  /**
   * Returns the hash of a row.
   *
   * @param names the names of its dimensions
   * @param row the row's values by name
   * @throws org.apache.druid.java.util.common.parsers.ParseException naming a dimension whose value
   *     is not of its type
   */
  long of(List<String> names, Map<String, Object> row) {
    if (dimensions.useSchemaDiscovery()) {
      return 0;
    }
    long hash = BASIS;
    for (String name :
        names.equals(declared) ? declaredInOrder : names.stream().sorted().distinct().toList()) {
      Object value = row.get(name);
      String text = value == null ? null : text(dimensions.getSchema(name), name, value);
      if (text != null) {
        hash = add(add(hash, name), text);
      }
    }
    return hash;
  }

  private static long add(long hash, String text) {
    long next = hash;
    for (int i = 0; i < text.length(); i++) {
      next = (next ^ text.charAt(i)) * PRIME;
    }
    return (next ^ 0x10000) * PRIME; // no character
  }

  /** Returns a text that stands for a value, or null for one that is stored as no value. */
  private static String text(DimensionSchema schema, String name, Object value) {
    ColumnType type = schema == null ? ColumnType.STRING : schema.getColumnType();
    if (type.equals(ColumnType.STRING)) {
      return texts(schema, value);
    }
    Object stored =
        switch (type.getType()) {
          case LONG -> DimensionHandlerUtils.convertObjectToLong(value, true, name);
          case FLOAT -> DimensionHandlerUtils.convertObjectToFloat(value, true, name);
          case DOUBLE -> DimensionHandlerUtils.convertObjectToDouble(value, true, name);
          default -> null;
        };
    return stored == null ? null : stored.toString();
  }

  private static String texts(DimensionSchema schema, Object value) {
    List<String> each = Rows.objectToStrings(value);
    if (each.size() <= 1) {
      return each.isEmpty() ? null : each.getFirst();
    }
    List<String> known = each.stream().map(one -> one == null ? "" : one).toList();
    DimensionSchema.MultiValueHandling handling =
        schema == null
            ? DimensionSchema.MultiValueHandling.SORTED_ARRAY
            : schema.getMultiValueHandling();
    return switch (handling) {
      case SORTED_SET -> String.join("\u0000", new TreeSet<>(known));
      case SORTED_ARRAY -> String.join("\u0000", known.stream().sorted().toList());
      case ARRAY -> String.join("\u0000", known);
    };
  }
}
