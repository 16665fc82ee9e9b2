package io.uniserve.node.rows;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.DocumentReader;
import io.uniserve.node.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The rows of one JSON array of objects. */
final class ArrayRows implements RowReader {
  private final String file;
  private final RowBound bound;
  private final JsonParser parser;

  ArrayRows(String file, InputStream in) throws IOException {
    this.file = file;
    bound = new RowBound(file, new Utf8Input(file, in));
    parser = Json.factory().createParser(bound);
    parser.nextToken();
  }

  @Override
  public Optional<Item> next() throws IOException {
    bound.nextRow();
    try {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.END_ARRAY) {
        requireNothingFollows();
        return Optional.empty();
      }
      return token == null ? Optional.empty() : Optional.of(item(token));
    } catch (JsonEOFException e) {
      throw new UniserveException(
          ErrorCode.CORRUPT, place() + ": cut off, the JSON array has no end", e);
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid(file + ": " + Json.malformed(e).getMessage());
    }
  }

  private Item item(JsonToken token) throws IOException {
    Item.Place place = place();
    try {
      Object row = DocumentReader.readRecord(parser);
      return token == JsonToken.START_OBJECT
          ? new Item.Row(place, Json.bytes(row))
          : new Item.Bad(place, "an element of the array is no object");
    } catch (
        UniserveException e) { // a number is out of range, and the parser stands inside the element
      throw UniserveException.invalid(place + ": " + e.getMessage());
    }
  }

  private void requireNothingFollows() throws IOException {
    if (parser.nextToken() != null) {
      throw UniserveException.invalid(place() + ": something follows the JSON array");
    }
  }

  private Item.Place place() {
    return new Item.Place(file, parser.currentTokenLocation().getLineNr());
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
