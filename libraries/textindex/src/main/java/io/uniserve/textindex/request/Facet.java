package io.uniserve.textindex.request;

import io.uniserve.api.form.Name;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.SearchResult.Bucket;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.util.BytesRef;

/** A way of counting all matching documents, regardless of the page. */
public sealed interface Facet {

  /** Returns the name of the counts in the result. */
  String name();

  /**
   * A facet that counts each value of a field.
   *
   * @param name the name of the counts
   * @param field a facetable field
   * @param prefix the beginning of counted values; empty for all, as it must be for a field of
   *     numbers
   * @param order the order of the values
   * @param minimumCount the least count of shown values; with 0, values of a keyword field that no
   *     match has are listed, too
   * @param offset the number of values to skip
   * @param limit the most values; -1 for all
   */
  @Name("Terms")
  record Terms(
      String name,
      String field,
      String prefix,
      Order order,
      long minimumCount,
      int offset,
      int limit)
      implements Facet {
    /** Returns the buckets that are shown, in their order. */
    public Stream<Bucket> page(Stream<Bucket> buckets) {
      return buckets
          .filter(each -> each.count() >= minimumCount)
          .sorted(order.buckets)
          .skip(offset)
          .limit(limit < 0 ? Long.MAX_VALUE : limit);
    }
  }

  /**
   * A facet that counts the values of a numeric or date field between neighbouring bounds, lower
   * bound inclusive; a first bucket counts values below the first bound, and a last one values at
   * or above the last bound. A document counts once in each bucket that contains any of its values.
   *
   * @param name the name of the counts
   * @param field a facetable long, double or date field
   * @param bounds strictly ascending, at least one, of the field's type (dates in ISO-8601)
   */
  @Name("Ranges")
  record Ranges(String name, String field, List<Object> bounds) implements Facet {
    /** Copies the bounds. */
    public Ranges {
      bounds = List.copyOf(bounds);
    }
  }

  /**
   * A facet that counts the documents that match another query as well.
   *
   * @param name the name of the counts
   * @param query the other query
   */
  @Name("Matching")
  record Matching(String name, QueryText query) implements Facet {}

  /** The order of values. */
  enum Order {
    /** The most frequent first, equally frequent ones by value. */
    @Name("COUNT")
    COUNT(Comparator.comparingLong(Bucket::count).reversed().thenComparing(Order::compareValues)),
    /** Ascending order of values. */
    @Name("VALUE")
    VALUE(Order::compareValues);

    private final Comparator<Bucket> buckets;

    Order(Comparator<Bucket> buckets) {
      this.buckets = buckets;
    }

    /** Compares texts by their bytes, as an index does. */
    @SuppressWarnings("unchecked")
    private static int compareValues(Bucket one, Bucket other) {
      return one.value() instanceof String text
          ? new BytesRef(text).compareTo(new BytesRef((String) other.value()))
          : ((Comparable<Object>) one.value()).compareTo(other.value());
    }
  }

  /** Makes a facet of the ten most frequent values of a field. */
  static Facet of(String field) {
    return new Terms(field, field, "", Order.COUNT, 1, 0, 10);
  }
}
