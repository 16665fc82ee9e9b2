package io.uniserve.textindex.request;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.SortKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortField.Type;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.util.BytesRef;

/**
 * The order of hits, within an actor and across actors. It always ends with the id, so that no two
 * hits are equal and every page has a unique beginning.
 */
public final class SortOrder {
  private final SortField[] fields;
  private final Sort sort;

  /**
   * Makes the order of a page. @throws UniserveException naming a field that is unknown or cannot
   * be sorted by
   */
  public SortOrder(SearchSchema schema, Page page) {
    List<SortKey> keys = new ArrayList<>(page.sort());
    if (keys.isEmpty()) {
      keys.add(SortKey.BY_SCORE);
    }
    keys.add(SortKey.BY_ID);
    fields = keys.stream().map(key -> field(schema, key)).toArray(SortField[]::new);
    sort = new Sort(fields);
  }

  private static SortField field(SearchSchema schema, SortKey key) {
    boolean down = key.descending();
    if (key.field().equals(SortKey.SCORE)) {
      return new SortField(null, Type.SCORE, !down);
    }
    FieldDefinition field = schema.require(key.field());
    if (!field.sortable()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "field '" + key.field() + "' is not sortable");
    }
    return switch (field.type()) {
      case TEXT, KEYWORD ->
          new SortedSetSortField(
              key.field(),
              down,
              down ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN,
              down ? SortField.STRING_FIRST : SortField.STRING_LAST);
      case LONG, DATE -> number(key, Type.LONG, down ? Long.MIN_VALUE : Long.MAX_VALUE);
      case DOUBLE -> number(key, Type.DOUBLE, down ? -1 / 0.0 : 1 / 0.0);
    };
  }

  private static SortField number(SortKey key, Type type, Object missing) {
    boolean down = key.descending();
    SortedNumericSelector.Type of =
        down ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN;
    return new SortedNumericSortField(key.field(), type, down, of, missing);
  }

  /** Returns the order in Lucene's form. */
  public Sort sort() {
    return sort;
  }

  public boolean needsScores() {
    return sort.needsScores();
  }

  /** Returns whether the best hit comes first. */
  public boolean bestFirst() {
    return fields[0].equals(SortField.FIELD_SCORE);
  }

  /** Returns whether hits are ordered by score, best first, and then by id alone. */
  public boolean bestFirstAlone() {
    return bestFirst() && fields.length == 2;
  }

  /** Returns the score of a hit, from the place where Lucene left it. */
  public static float scoreOf(FieldDoc hit) {
    for (Object value : hit.fields) {
      if (value instanceof Float score) {
        return score;
      }
    }
    return hit.score;
  }

  /** Returns the order of hits that {@link #hit} makes. */
  public Comparator<FieldDoc> comparator() {
    FieldComparator<?>[] comparators = new FieldComparator<?>[fields.length];
    for (int i = 0; i < fields.length; i++) {
      comparators[i] = fields[i].getComparator(1, Pruning.NONE);
    }
    return (one, other) -> {
      for (int i = 0; i < fields.length; i++) {
        int order = compare(comparators[i], one.fields[i], other.fields[i]);
        if (order != 0) {
          return fields[i].getReverse() ? -order : order;
        }
      }
      return 0;
    };
  }

  @SuppressWarnings("unchecked") // a field's values have the type of its comparator
  private static <T> int compare(FieldComparator<T> comparator, Object one, Object other) {
    return comparator.compareValues((T) one, (T) other);
  }

  /** Returns the sort values of a hit in their wire form; the last is its id. */
  public static List<Object> values(FieldDoc hit) {
    List<Object> values = new ArrayList<>(hit.fields.length);
    for (Object value : hit.fields) {
      values.add(
          switch (value) {
            case Float score -> (double) score;
            case BytesRef text -> text.utf8ToString();
            case null, default -> value;
          });
    }
    return values;
  }

  /**
   * Makes a hit with these sort values, for comparisons.
   *
   * @throws UniserveException if they are not values of this order
   */
  public FieldDoc hit(int number, List<Object> values) {
    if (values.size() != fields.length) {
      throw UniserveException.invalid("the cursor belongs to another order: " + Excerpt.of(values));
    }
    Object[] lucene = new Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      lucene[i] = toLucene(fields[i], values.get(i));
    }
    return new FieldDoc(number, Float.NaN, lucene);
  }

  private static Object toLucene(SortField field, Object value) {
    Type type =
        field instanceof SortedNumericSortField number ? number.getNumericType() : field.getType();
    return switch (value) {
      case Double score when (type == Type.SCORE) -> (Object) score.floatValue();
      case Double number when (type == Type.DOUBLE) -> number;
      case Long number when (type == Type.LONG) -> number;
      case String text when (type == Type.CUSTOM) -> new BytesRef(text);
      case null, default -> {
        if (value == null && type == Type.CUSTOM) {
          yield null;
        }
        throw UniserveException.invalid(
            "the cursor belongs to another order: " + Excerpt.of(value));
      }
    };
  }
}
