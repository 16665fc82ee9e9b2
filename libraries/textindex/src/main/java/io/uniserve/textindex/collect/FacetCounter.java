package io.uniserve.textindex.collect;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.SearchResult.Bucket;
import io.uniserve.textindex.request.SearchResult.FacetCounts;
import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;

/** A counter of one facet over the documents that a search collects in one actor. */
public abstract class FacetCounter extends SimpleCollector {
  final String field;
  final Map<Object, long[]> counts = new LinkedHashMap<>();
  long missing;

  private FacetCounter(String field) {
    this.field = field;
  }

  /**
   * Makes the counter of a facet of a field.
   *
   * @throws UniserveException naming a field that is unknown or not facetable, or a bound that does
   *     not fit it
   */
  public static FacetCounter of(SearchSchema schema, Facet facet) {
    return switch (facet) {
      case Facet.Terms terms -> terms(terms, countable(schema, terms.field()));
      case Facet.Ranges ranges -> ranges(ranges, countable(schema, ranges.field()));
      case Facet.Matching matching -> throw new IllegalArgumentException(matching.name());
    };
  }

  private static FacetCounter terms(Facet.Terms facet, FieldDefinition field) {
    if (field.numeric() && !facet.prefix().isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "field '" + facet.field() + "' has numbers, of which none begins with a prefix");
    }
    return field.numeric()
        ? new Numbers(facet.field(), code -> code, field::ofCode)
        : new Strings(facet);
  }

  private static FieldDefinition countable(SearchSchema schema, String name) {
    FieldDefinition field = schema.require(name);
    if (!field.facet()) {
      throw new UniserveException(ErrorCode.UNSUPPORTED, "field '" + name + "' is not a facet");
    }
    return field;
  }

  private static FacetCounter ranges(Facet.Ranges facet, FieldDefinition field) {
    String name = facet.field();
    if (!field.numeric()) {
      throw UniserveException.invalid("field '" + name + "' has no numbers to make ranges of");
    }
    long[] bounds = facet.bounds().stream().mapToLong(each -> field.codeOf(name, each)).toArray();
    boolean ascend = IntStream.range(1, bounds.length).allMatch(i -> bounds[i - 1] < bounds[i]);
    if (bounds.length == 0 || !ascend) {
      throw UniserveException.invalid(
          "bounds of '" + name + "' do not ascend: " + Excerpt.of(facet.bounds()));
    }
    LongFunction<Object> lower = i -> i == 0 ? null : field.ofCode(bounds[(int) i - 1]);
    Numbers counter = new Numbers(name, code -> interval(bounds, code), lower);
    IntStream.rangeClosed(0, bounds.length)
        .forEach(i -> counter.buckets.put((long) i, new long[1]));
    return counter;
  }

  /** Returns the number of bounds that are at or below a number. */
  private static int interval(long[] bounds, long code) {
    int place = Arrays.binarySearch(bounds, code);
    return place >= 0 ? place + 1 : -place - 1;
  }

  /** Returns all counts of this actor, of typed values. */
  public FacetCounts result(String name) {
    List<Bucket> buckets = new ArrayList<>();
    counts.forEach((value, count) -> buckets.add(new Bucket(value, count[0])));
    return new FacetCounts(name, buckets, missing);
  }

  @Override
  public ScoreMode scoreMode() {
    return ScoreMode.COMPLETE_NO_SCORES;
  }

  /**
   * A counter of strings, which counts by their number inside a segment, and then by the strings.
   */
  private static final class Strings extends FacetCounter {
    private final Facet.Terms facet;
    private SortedSetDocValues values;
    private int[] inSegment;

    private Strings(Facet.Terms facet) {
      super(facet.field());
      this.facet = facet;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext leaf) throws IOException {
      values = DocValues.getSortedSet(leaf.reader(), field);
      inSegment = new int[Math.toIntExact(values.getValueCount())];
    }

    @Override
    public void collect(int document) throws IOException {
      if (!values.advanceExact(document)) {
        missing++;
        return;
      }
      for (int i = values.docValueCount(); i > 0; i--) {
        inSegment[(int) values.nextOrd()]++;
      }
    }

    @Override
    public void finish() throws IOException {
      for (int i = 0; i < inSegment.length; i++) {
        if (inSegment[i] > 0 || facet.minimumCount() == 0) {
          String value = values.lookupOrd(i).utf8ToString();
          if (value.startsWith(facet.prefix())) {
            counts.computeIfAbsent(value, none -> new long[1])[0] += inSegment[i];
          }
        }
      }
    }
  }

  /**
   * A counter of numbers by bucket: a bucket is a number or an interval. A document counts once in
   * a bucket, even if several of its numbers are in it. These are neighbours, since numbers come in
   * ascending order.
   */
  private static final class Numbers extends FacetCounter {
    private final LongUnaryOperator bucketOf;
    private final LongFunction<Object> valueOf;
    private final Map<Long, long[]> buckets = new LinkedHashMap<>();
    private SortedNumericDocValues values;

    private Numbers(String field, LongUnaryOperator bucketOf, LongFunction<Object> valueOf) {
      super(field);
      this.bucketOf = bucketOf;
      this.valueOf = valueOf;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext leaf) throws IOException {
      values = DocValues.getSortedNumeric(leaf.reader(), field);
    }

    @Override
    public void collect(int document) throws IOException {
      if (!values.advanceExact(document)) {
        missing++;
        return;
      }
      long last = Long.MIN_VALUE;
      for (int i = values.docValueCount(), n = i; i > 0; i--) {
        long bucket = bucketOf.applyAsLong(values.nextValue());
        if (i == n || bucket != last) {
          buckets.computeIfAbsent(bucket, none -> new long[1])[0]++;
        }
        last = bucket;
      }
    }

    @Override
    public FacetCounts result(String name) {
      buckets.forEach((bucket, count) -> counts.put(valueOf.apply(bucket), count));
      return super.result(name);
    }
  }
}
