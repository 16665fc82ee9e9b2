package io.uniserve.node.http.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.api.RecordBatch.Rejected;
import io.uniserve.node.http.api.RecordBatch.RejectedLineException;
import io.uniserve.node.json.DocumentReader;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A reader of a request's body with records: JSON lines, or one JSON array of objects.
 *
 * @param body the bytes
 * @param recordsMax the most records
 * @param skipped collects lines that are no JSON object; empty to refuse the batch at the first
 */
record BatchReader(byte[] body, int recordsMax, Optional<List<Rejected>> skipped) {

  RecordBatch read() {
    RecordBatch batch = new RecordBatch(new ArrayList<>(), new ArrayList<>());
    int first = firstMark(0, body.length);
    if (first < body.length && body[first] == '[') {
      readArray(batch);
    } else {
      readLines(batch);
    }
    return batch;
  }

  /** Returns the place of the first byte that is no white space. */
  private int firstMark(int start, int end) {
    int first = start;
    while (first < end && Character.isWhitespace(body[first])) {
      first++;
    }
    return first;
  }

  private void readLines(RecordBatch batch) {
    AtomicLong tokens = new AtomicLong();
    long line = 0;
    int end;
    for (int start = 0; start < body.length; start = end + 1) {
      line++;
      end = lineEnd(start);
      if (firstMark(start, end) < end) {
        readLine(batch, line, start, end - start, tokens);
      }
    }
  }

  /**
   * Returns the end of a line. It is a method of its own, since the JVM compiles a method that is
   * called often sooner than a long loop.
   */
  private int lineEnd(int start) {
    int end = start;
    while (end < body.length && body[end] != '\n') {
      end++;
    }
    return end;
  }

  private void readLine(RecordBatch batch, long line, int start, int length, AtomicLong tokens) {
    try {
      add(
          batch,
          line,
          Settings.object("the record", Json.parseRecord(body, start, length, tokens)));
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.TOO_LARGE || skipped.isEmpty()) {
        throw e.code() == ErrorCode.TOO_LARGE ? e : new RejectedLineException(line, e.getMessage());
      }
      skipped.get().add(new Rejected(line, e.getMessage()));
    }
  }

  private void readArray(RecordBatch batch) {
    try (JsonParser parser = Json.factory().createParser(body)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        long line = parser.currentTokenLocation().getLineNr();
        add(batch, line, element(parser, line));
      }
      if (parser.nextToken() != null) {
        throw UniserveException.invalid("something follows the JSON array of records");
      }
    } catch (IOException e) {
      throw Json.malformed(e);
    }
  }

  private static Map<String, Object> element(JsonParser parser, long line) throws IOException {
    try {
      return Settings.object("the record", DocumentReader.readRecord(parser));
    } catch (UniserveException e) {
      throw new RejectedLineException(line, e.getMessage());
    }
  }

  private void add(RecordBatch batch, long line, Map<String, Object> row) {
    if (batch.rows().size() == recordsMax) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a request carries at most " + recordsMax + " records");
    }
    batch.rows().add(row);
    batch.lines().add(line);
  }
}
