package io.uniserve.engines.olap.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MappingIterator;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.query.Failures;
import io.uniserve.engines.olap.rows.OlapSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.antlr.v4.runtime.ANTLRInputStream;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.JodaUtils;
import org.apache.druid.math.expr.antlr.ExprLexer;
import org.apache.druid.query.filter.DimFilter;

/** The planning of scans of stored rows, and the reading of their pages at the client. */
public final class PagePlan {
  private PagePlan() {}

  /**
   * Plans a scan. Its keys are times, its condition a filter of Druid in JSON, or an expression of
   * Druid.
   *
   * @throws UniserveException naming what is wrong
   */
  public static ScanPlan of(TableDefinition table, OlapSchema schema, ScanRequest request) {
    if (request.part().isPresent()) {
      throw UniserveException.invalid(
          "table '" + table.name() + "' has no part '" + Excerpt.of(request.part().get()) + "'");
    }
    List<String> columns = schema.columns();
    for (String field : request.fields()) {
      if (!columns.isEmpty() && !columns.contains(field)) {
        throw new UniserveException(
            ErrorCode.NOT_FOUND,
            "table '" + table.name() + "' has no column '" + Excerpt.of(field) + "'");
      }
    }
    Optional<Long> from = request.from().map(PagePlan::millis);
    Optional<Long> to = request.to().map(PagePlan::millis);
    List<String> fields = request.fields().isEmpty() ? columns : request.fields();
    return new ScanPlan(
        table.name(),
        new ReadRows(
            request.where().map(PagePlan::filterText).orElse(""),
            from.orElse(JodaUtils.MIN_INSTANT),
            to.orElse(JodaUtils.MAX_INSTANT),
            fields),
        new Keys.Range(from.map(PartitionKey::of), to.map(PartitionKey::of)),
        false,
        fields,
        PagePlan::read);
  }

  /**
   * Returns a time in milliseconds since 1970.
   *
   * @throws UniserveException if a text is none
   */
  public static long millis(String time) {
    try {
      return DateTimes.of(time).getMillis();
    } catch (IllegalArgumentException e) {
      throw UniserveException.invalid(
          "'" + Excerpt.of(time) + "' is no time, as 2015-09-12T00:00:00Z is");
    }
  }

  /** Returns the filter of a condition in JSON, after a check. */
  private static String filterText(String condition) {
    try {
      String text = condition.stripLeading().startsWith("{") ? condition : ofExpression(condition);
      filter(text).getRequiredColumns(); // an expression is not read before
      return text;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a text cannot be written", e);
    } catch (UniserveException e) {
      throw e;
    } catch (RuntimeException e) {
      throw UniserveException.invalid(
          "the condition '" + Excerpt.of(condition) + "': " + Failures.of(e).getMessage());
    }
  }

  private static String ofExpression(String expression) throws JsonProcessingException {
    requireKnownCharacters(expression);
    return Druid.get()
        .json()
        .writeValueAsString(Map.of("type", "expression", "expression", expression));
  }

  /** Requires that no part of an expression is one that Druid's parser passes over. */
  private static void requireKnownCharacters(String expression) {
    ExprLexer lexer = new ExprLexer(new ANTLRInputStream(expression));
    lexer.removeErrorListeners();
    lexer.addErrorListener(
        new BaseErrorListener() {
          @Override
          public void syntaxError(
              Recognizer<?, ?> recognizer,
              Object symbol,
              int line,
              int column,
              String message,
              RecognitionException failure) {
            throw UniserveException.invalid(
                "the condition '"
                    + Excerpt.of(expression)
                    + "': line "
                    + line
                    + ", column "
                    + (column + 1)
                    + " is nothing that an expression has");
          }
        });
    while (lexer.nextToken().getType() != Token.EOF) {
      // the listener hears of what is no token
    }
  }

  /**
   * Reads a filter in JSON.
   *
   * @throws UniserveException saying where it is wrong
   */
  static DimFilter filter(String text) {
    try {
      return Druid.get().json().readValue(text, DimFilter.class);
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid(
          "the condition is no filter of Druid: " + e.getOriginalMessage());
    }
  }

  private static void read(ByteBuffer block, Consumer<Map<String, Object>> rows) {
    byte[] bytes = new byte[block.remaining()];
    block.duplicate().get(bytes);
    try (MappingIterator<Map<String, Object>> each =
        Druid.get()
            .json()
            .readerFor(new TypeReference<Map<String, Object>>() {})
            .with(DeserializationFeature.USE_LONG_FOR_INTS)
            .readValues(bytes)) {
      each.forEachRemaining(rows);
    } catch (IOException e) {
      throw new UncheckedIOException("a page of rows cannot be read", e);
    }
  }
}
