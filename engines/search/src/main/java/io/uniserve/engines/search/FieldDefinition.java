package io.uniserve.engines.search;

import java.util.List;

/**
 * One field of a schema. In the schema document a field is a map of these components by name, all
 * but {@code type} optional.
 *
 * @param name the field's name, or a pattern with one {@code *} at its start or end for fields that
 *     need not be listed one by one
 * @param type what its values are
 * @param analyzer how text becomes words; default {@code standard}
 * @param indexed whether it can be searched; default true
 * @param stored whether its values are returned; default true
 * @param sortable whether hits can be ordered by it; default true but for text, which cannot
 * @param facet whether its values can be counted; default true but for text, which cannot
 * @param multiValued whether a document may have a list of values; default false
 * @param copyTo fields that get its values, too
 */
public record FieldDefinition(
    String name,
    Type type,
    TextAnalyzer analyzer,
    boolean indexed,
    boolean stored,
    boolean sortable,
    boolean facet,
    boolean multiValued,
    List<String> copyTo) {

  /** What the values of a field are. */
  public enum Type {
    /** Words, found by the analyzer. */
    TEXT,
    /** A string that is only ever equal to itself, at most 32,766 bytes in UTF-8. */
    KEYWORD,
    /** A whole number of 64 bits. */
    LONG,
    /** A floating-point number of 64 bits, finite. */
    DOUBLE,
    /** An instant, in ISO-8601, kept to the millisecond. */
    DATE
  }

  /** Copies the targets. */
  public FieldDefinition {
    copyTo = List.copyOf(copyTo);
  }

  boolean matches(String field) {
    return name.startsWith("*") && field.endsWith(name.substring(1))
        || name.endsWith("*") && field.startsWith(name.substring(0, name.length() - 1));
  }

  boolean docValues() {
    return sortable || facet;
  }

  boolean numeric() {
    return type != Type.TEXT && type != Type.KEYWORD;
  }
}
