package io.uniserve.node.rows;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;

/**
 * Comma- or tab-separated values as in RFC 4180, whose first line names the fields. Values are
 * strings, which the table's schema interprets; an empty value is left out.
 */
final class CsvRows implements RowReader {
  private final String file;
  private final RowBound bound;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final List<String> header;

  CsvRows(String file, InputStream in, char delimiter) throws IOException {
    this.file = file;
    bound = new RowBound(file, new Utf8Input(file, in));
    CSVFormat format =
        CSVFormat.RFC4180
            .builder()
            .setDelimiter(delimiter)
            .setHeader()
            .setSkipHeaderRecord(true)
            .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
            .setIgnoreEmptyLines(true)
            .get();
    parser = open(format);
    records = parser.iterator();
    header = parser.getHeaderNames();
  }

  private CSVParser open(CSVFormat format) throws IOException {
    try {
      return CSVParser.builder()
          .setReader(new InputStreamReader(bound, StandardCharsets.UTF_8))
          .setFormat(format)
          .get();
    } catch (IllegalArgumentException e) {
      throw UniserveException.invalid(file + ", line 1: the header is unusable: " + e.getMessage());
    }
  }

  @Override
  public Optional<Item> next() throws IOException {
    bound.nextRow();
    long line = parser.getCurrentLineNumber() + 1;
    try {
      return records.hasNext() ? Optional.of(item(records.next(), line)) : Optional.empty();
    } catch (UncheckedIOException e) {
      throw unreadable(line, e.getCause());
    }
  }

  private UniserveException unreadable(long line, IOException cause) throws IOException {
    if (cause instanceof java.io.EOFException || cause.getMessage() == null) {
      throw cause;
    }
    return UniserveException.invalid(file + ", line " + line + ": " + cause.getMessage());
  }

  private Item item(CSVRecord record, long line) {
    Item.Place place = new Item.Place(file, line);
    if (record.size() != header.size()) {
      return new Item.Bad(
          place, "has " + record.size() + " values, but the header names " + header.size());
    }
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < header.size(); i++) {
      if (!record.get(i).isEmpty()) {
        row.put(header.get(i), record.get(i));
      }
    }
    return new Item.Row(place, Json.bytes(row));
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
