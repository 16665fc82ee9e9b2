package io.uniserve.textindex.request;

import io.uniserve.api.form.Name;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.SearchResult.Bucket;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.util.BytesRef;

/** A way of counting all documents that match, whatever page is shown. */
public sealed interface Facet {

  /** The name under which the counts come back. */
  String name();

  /**
   * Counts each value of a field.
   *
   * @param name of the counts
   * @param field a facetable field
   * @param prefix only values that begin so; empty for all, as it must be for a field of numbers
   * @param order of the values
   * @param minimumCount values that fewer documents have are left out. With 0 also the values of a
   *     keyword field that no match has are listed
   * @param offset how many values are passed over
   * @param limit at most so many values; -1 for all
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
    /** Those of all buckets that are shown, in their order. */
    public Stream<Bucket> page(Stream<Bucket> buckets) {
      return buckets
          .filter(each -> each.count() >= minimumCount)
          .sorted(order.buckets)
          .skip(offset)
          .limit(limit < 0 ? Long.MAX_VALUE : limit);
    }
  }

  /**
   * Counts the values of a numeric or date field that lie between neighbouring bounds, lower bound
   * inclusive; a first bucket counts what is below the first bound and a last one what is at or
   * above the last bound. A document counts once in each bucket that any of its values lies in.
   *
   * @param name of the counts
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
   * Counts the documents that match another query as well.
   *
   * @param name of the counts
   * @param query the other query
   */
  @Name("Matching")
  record Matching(String name, QueryText query) implements Facet {}

  /** The order of values. */
  enum Order {
    /** Most frequent first, equally frequent ones by value. */
    @Name("COUNT")
    COUNT(Comparator.comparingLong(Bucket::count).reversed().thenComparing(Order::compareValues)),
    /** By value, ascending. */
    @Name("VALUE")
    VALUE(Order::compareValues);

    private final Comparator<Bucket> buckets;

    Order(Comparator<Bucket> buckets) {
      this.buckets = buckets;
    }

    /** Text in the order of its bytes, as an index has it. */
    @SuppressWarnings("unchecked")
    private static int compareValues(Bucket one, Bucket other) {
      return one.value() instanceof String text
          ? new BytesRef(text).compareTo(new BytesRef((String) other.value()))
          : ((Comparable<Object>) one.value()).compareTo(other.value());
    }
  }

  /** The ten most frequent values of a field. */
  static Facet of(String field) {
    return new Terms(field, field, "", Order.COUNT, 1, 0, 10);
  }
}
