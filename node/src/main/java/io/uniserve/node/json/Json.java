package io.uniserve.node.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.JsonProblem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** The reading and writing of JSON. */
public final class Json {
  /** The greatest depth of a document. */
  public static final int DEPTH_MAX = 200;

  /** The largest number of tokens, names and values and brackets, of one body. */
  public static final long TOKENS_MAX = 2_000_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxTokenCount(TOKENS_MAX)
                  .build())
          .build();

  private Json() {}

  /** Returns the factory whose parsers refuse duplicate keys and bound nesting. */
  public static JsonFactory factory() {
    return FACTORY;
  }

  /**
   * Returns the one document that these bytes hold.
   *
   * @throws UniserveException if they hold none, or more than one, naming the place of the error
   */
  public static Object parse(byte[] bytes, int offset, int length) {
    return parse(bytes, offset, length, new AtomicLong(), DocumentReader::read);
  }

  /**
   * Returns the one record that a part of a body holds, see {@link DocumentReader#readRecord};
   * counts its tokens together with those of other parts.
   */
  public static Object parseRecord(byte[] bytes, int offset, int length, AtomicLong tokens) {
    return parse(bytes, offset, length, tokens, DocumentReader::readRecord);
  }

  /** A way to read the value at which a parser stands. */
  private interface Reader {
    Object read(JsonParser parser) throws IOException;
  }

  private static Object parse(
      byte[] bytes, int offset, int length, AtomicLong tokens, Reader reader) {
    try (JsonParser parser = FACTORY.createParser(bytes, offset, length)) {
      if (parser.nextToken() == null) {
        throw UniserveException.invalid("not JSON: it is empty");
      }
      Object document = reader.read(parser);
      if (tokens.addAndGet(parser.currentTokenCount()) > TOKENS_MAX) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE, "the body has more than " + TOKENS_MAX + " JSON tokens");
      }
      if (parser.nextToken() != null) {
        throw UniserveException.invalid("not one JSON value: another one follows it");
      }
      return document;
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Returns the one document that this text holds. */
  public static Object parse(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return parse(bytes, 0, bytes.length);
  }

  /** Returns a document as UTF-8 without white space. */
  public static byte[] bytes(Object document) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator generator = FACTORY.createGenerator(out, JsonEncoding.UTF8)) {
      DocumentWriter.write(document, generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Returns a document as text without white space. */
  public static String text(Object document) {
    return new String(bytes(document), StandardCharsets.UTF_8);
  }

  /** Returns a document as indented text, for people. */
  public static String pretty(Object document) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator =
        FACTORY.createGenerator(out, JsonEncoding.UTF8).useDefaultPrettyPrinter()) {
      DocumentWriter.write(document, generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * Returns an error that says what is wrong with the JSON and where, without quoting all of it.
   */
  public static UniserveException malformed(IOException failure) {
    return UniserveException.invalid("not JSON: " + JsonProblem.describe(failure));
  }
}
