package io.uniserve.gateways.solr;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.solr.common.params.SolrParams;

/**
 * The reader of documents in CSV: a document in each record, with the names of their fields in the
 * first.
 */
final class CsvUpdates {
  private CsvUpdates() {}

  static void read(byte[] body, SolrParams parameters, Update update) {
    String separator = parameters.get("separator", ",");
    requireFewValues(body, separator);
    CSVFormat format = CSVFormat.DEFAULT.builder().setDelimiter(separator).setHeader().get();
    try (CSVParser records =
        CSVParser.parse(new ByteArrayInputStream(body), StandardCharsets.UTF_8, format)) {
      for (CSVRecord record : records) {
        if (!record.isConsistent()) {
          throw UniserveException.invalid(
              "CSV record %d has %d values for the fields %s"
                  .formatted(record.getRecordNumber(), record.size(), records.getHeaderNames()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        record.toMap().forEach((field, value) -> add(field, value, parameters, document));
        update.add(document);
      }
    } catch (IOException
        | UncheckedIOException
        | IllegalStateException
        | IllegalArgumentException e) {
      throw UniserveException.invalid("malformed CSV: " + e.getMessage());
    }
  }

  /** Checks the number of values before any is made; a separator within quotes counts, too. */
  private static void requireFewValues(byte[] body, String separator) {
    byte first = separator.getBytes(StandardCharsets.UTF_8)[0];
    int values = 0;
    for (byte each : body) {
      values += each == first || each == '\n' || each == '\r' ? 1 : 0;
    }
    if (values > Update.VALUES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "CSV with more than " + Update.VALUES_MAX + " values");
    }
  }

  private static void add(
      String field, String text, SolrParams parameters, Map<String, Object> document) {
    String separator = Pattern.quote(parameters.get("f." + field + ".separator", ","));
    boolean split = parameters.getFieldBool(field, "split", false);
    for (String value : split ? text.split(separator) : new String[] {text}) {
      if (!value.isEmpty()) {
        document.merge(field, value, CsvUpdates::join);
      }
    }
  }

  /** Returns the value of a field that is given once more. */
  @SuppressWarnings("unchecked")
  static Object join(Object former, Object next) {
    List<Object> values =
        former instanceof List<?> list ? (List<Object>) list : new ArrayList<>(List.of(former));
    values.add(next);
    return values;
  }
}
