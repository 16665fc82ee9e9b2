package io.uniserve.engines.olap.query;

import io.uniserve.engines.olap.druid.Druid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.guava.MergeSequence;
import org.apache.druid.java.util.common.guava.Sequences;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.groupby.epinephelinae.BufferArrayGrouper;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.column.ValueType;

/**
 * Grouped rows that come out of a segment in the order of their groups, and so are merged as they
 * come. Others are put into a table of all groups and sorted, which takes longer than the grouping
 * itself where there are many groups.
 *
 * <p>Rows have this order if the query groups by one column of texts, and the segment gives each
 * row one text by its number in a sorted dictionary. Druid then aggregates into an array with a
 * place for each number, and reads it from begin to end, provided that the array fits into a
 * buffer.
 */
final class OrderedGroups {
  /** The most segments that are merged so: each holds a buffer until the end. */
  static final int SEGMENTS_MAX = 8;

  private OrderedGroups() {}

  /** Returns whether a query's rows of a segment come in the order of their groups. */
  static boolean areGivenBy(Query<?> query, Segment segment) {
    return query instanceof GroupByQuery grouped
        && grouped.getDataSource() instanceof TableDataSource
        && grouped.getDimensions().size() == 1
        && grouped.getDimensions().getFirst() instanceof DefaultDimensionSpec dimension
        && dimension.getOutputType().equals(ColumnType.STRING)
        && !grouped.getVirtualColumns().exists(dimension.getDimension())
        && !grouped.isApplyLimitPushDown()
        && grouped.getGranularity().equals(Granularities.ALL)
        && !grouped.context().getBoolean("forceHashAggregation", false)
        && fits(grouped, cardinality(segment, dimension.getDimension()));
  }

  private static boolean fits(GroupByQuery query, int cardinality) {
    if (cardinality == 0) {
      return false;
    }
    long bytes =
        BufferArrayGrouper.requiredBufferCapacity(
            cardinality, query.getAggregatorSpecs().toArray(AggregatorFactory[]::new));
    return bytes >= 0 && bytes <= Druid.BUFFER_BYTES;
  }

  /** Returns the number of texts of a column that has an order; 0 if it has none. */
  private static int cardinality(Segment segment, String name) {
    QueryableIndex index = segment.as(QueryableIndex.class);
    ColumnHolder holder = index == null ? null : index.getColumnHolder(name);
    if (holder == null || !isOrdered(holder.getCapabilities())) {
      return 0;
    }
    try (BaseColumn column = holder.getColumn()) {
      return column instanceof StringUtf8DictionaryEncodedColumn texts ? texts.getCardinality() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOrdered(ColumnCapabilities column) {
    return column.is(ValueType.STRING)
        && column.isDictionaryEncoded().isTrue()
        && column.hasMultipleValues().isFalse()
        && column.areDictionaryValuesSorted().isTrue()
        && column.areDictionaryValuesUnique().isTrue();
  }

  /** Returns a runner of several whose rows come in order. */
  static <T> QueryRunner<T> merged(List<QueryRunner<T>> ordered) {
    return ordered.size() == 1
        ? ordered.getFirst()
        : (query, response) ->
            new MergeSequence<>(
                query.getQuery().getResultOrdering(),
                Sequences.simple(ordered.stream().map(each -> each.run(query, response)).toList()));
  }
}
