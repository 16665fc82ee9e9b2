package io.uniserve.engines.olap.query;

import java.util.Map;
import org.apache.druid.hll.HyperLogLogCollector;
import org.apache.druid.query.Result;
import org.apache.druid.query.groupby.ResultRow;
import org.apache.druid.query.timeseries.TimeseriesResultValue;
import org.apache.druid.query.topn.DimensionAndMetricValueExtractor;
import org.apache.druid.query.topn.TopNResultValue;

/**
 * The HyperLogLog collectors of results that actors sent. Druid's estimate leaves out a value with
 * a hash of many zeroes, as the empty text has, if its collector was sent and is not merged with
 * another. So each is merged with an empty one.
 */
final class HyperLogLogs {
  private HyperLogLogs() {}

  /** Merges the collectors of a result, and returns the result. */
  static <T> T merged(T result) {
    switch (result) {
      case ResultRow row -> {
        for (int i = 0; i < row.length(); i++) {
          row.set(i, value(row.get(i)));
        }
      }
      case Result<?> timed when timed.getValue() instanceof TimeseriesResultValue series ->
          merge(series.getBaseObject());
      case Result<?> timed when timed.getValue() instanceof TopNResultValue top -> {
        for (DimensionAndMetricValueExtractor each : top.getValue()) {
          merge(each.getBaseObject());
        }
      }
      default -> {
        // other results have no aggregators
      }
    }
    return result;
  }

  private static void merge(Map<String, Object> values) {
    values.replaceAll((name, value) -> value(value));
  }

  private static Object value(Object sent) {
    return sent instanceof HyperLogLogCollector collector
        ? HyperLogLogCollector.makeLatestCollector().fold(collector)
        : sent;
  }
}
