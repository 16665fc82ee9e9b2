package io.uniserve.bench.bare;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.tasks.TaskTranslation;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.Query;

/** The Lucene query syntax over the benchmark's fields, as Lucene's own parser reads it. */
final class BareQueries {

  static final String DEFAULT_FIELD = "body";

  private BareQueries() {}

  static Query parse(String syntax) {
    try {
      return new Parser().parse(syntax);
    } catch (ParseException e) {
      throw new BenchException("Lucene cannot parse " + syntax + ": " + e.getMessage(), e);
    }
  }

  /** A classic parser that also reads a range of the number field as a range of numbers. */
  private static final class Parser extends QueryParser {

    Parser() {
      super(DEFAULT_FIELD, new StandardAnalyzer());
    }

    @Override
    protected Query getRangeQuery(
        String field, String low, String high, boolean lowIncluded, boolean highIncluded)
        throws ParseException {
      if (!field.equals(TaskTranslation.NUMBER_FIELD)) {
        return super.getRangeQuery(field, low, high, lowIncluded, highIncluded);
      }
      long from = Long.parseLong(low) + (lowIncluded ? 0 : 1);
      long to = Long.parseLong(high) - (highIncluded ? 0 : 1);
      return LongPoint.newRangeQuery(field, from, to);
    }
  }
}
