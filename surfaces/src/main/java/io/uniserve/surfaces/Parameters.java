package io.uniserve.surfaces;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of query strings and of forms, whose names and values are percent-encoded. A
 * parameter that cannot be decoded is refused by name.
 */
public final class Parameters {
  /** The most parameters of one request. */
  public static final int COUNT_MAX = 1_000;

  /** The longest form, in bytes. */
  public static final int FORM_BYTES_MAX = 200_000;

  private static final char REPLACEMENT = '\ufffd';

  private final Map<String, List<String>> values = new LinkedHashMap<>();
  private int count;

  /** Returns the values of each parameter, in the order of arrival. */
  public Map<String, List<String>> values() {
    return values;
  }

  /**
   * Adds the parameters of a query string.
   *
   * @param query the query string as it was sent; null if there is none
   * @throws UniserveException naming the parameter that cannot be read
   */
  public Parameters addQuery(String query) {
    if (query != null) {
      requireDecoded(query, "the query string");
      add(query.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
    return this;
  }

  /**
   * Refuses replacement characters that the HTTP server has put in the place of undecodable bytes.
   */
  private static void requireDecoded(String text, String what) {
    if (text.indexOf(REPLACEMENT) >= 0) {
      throw UniserveException.invalid(what + " is not UTF-8");
    }
  }

  /** Adds the parameters of a form; throws as {@link #addQuery}. */
  public Parameters addForm(byte[] form, Charset charset) {
    if (form.length > FORM_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "the form has more than " + FORM_BYTES_MAX + " bytes");
    }
    add(form, charset);
    return this;
  }

  private void add(byte[] encoded, Charset charset) {
    String text = new String(encoded, StandardCharsets.ISO_8859_1); // one character for each byte
    for (String item : text.split("&")) {
      if (!item.isEmpty()) {
        add(item, charset);
      }
    }
  }

  private void add(String item, Charset charset) {
    if (++count > COUNT_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a request has at most " + COUNT_MAX + " parameters");
    }
    int equals = item.indexOf('=');
    String name = equals < 0 ? item : item.substring(0, equals);
    String value = equals < 0 ? "" : item.substring(equals + 1);
    String shown = "parameter '" + Excerpt.of(name) + "'";
    values
        .computeIfAbsent(decode(name, charset, "the name of " + shown), none -> new ArrayList<>())
        .add(decode(value, charset, "the value of " + shown));
  }

  private static String decode(String encoded, Charset charset, String what) {
    return OutsideText.decode(percentDecoded(encoded.replace('+', ' '), what), charset, what);
  }

  /**
   * Checks that a path can be decoded.
   *
   * @param path the path as it was sent
   * @throws UniserveException naming the path
   */
  public static void requirePath(String path) {
    String what = "the path '" + Excerpt.of(path) + "'";
    requireDecoded(path, what);
    if (path.indexOf('%') >= 0) {
      byte[] sent = path.getBytes(StandardCharsets.UTF_8);
      byte[] decoded = percentDecoded(new String(sent, StandardCharsets.ISO_8859_1), what);
      OutsideText.requireUtf8(decoded, 0, decoded.length, what);
    }
  }

  /**
   * Decodes percent-encoded bytes.
   *
   * @param encoded one character for each byte
   */
  private static byte[] percentDecoded(String encoded, String what) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char each = encoded.charAt(i);
      if (each == '%') {
        int end = Math.min(i + 3, encoded.length());
        bytes.write(hexadecimal(encoded.substring(i + 1, end), what));
        i += 2;
      } else {
        bytes.write(each);
      }
    }
    return bytes.toByteArray();
  }

  private static int hexadecimal(String digits, String what) {
    if (!digits.matches("[0-9A-Fa-f]{2}")) {
      throw UniserveException.invalid(
          what + " cannot be decoded: two hexadecimal digits follow a %, not '" + digits + "'");
    }
    return Integer.parseInt(digits, 16);
  }
}
