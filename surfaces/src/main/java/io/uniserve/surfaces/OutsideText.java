package io.uniserve.surfaces;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text from outside, in the charset that its sender names. Bytes that are no character of the
 * charset are refused with their place, since a replacement character would be stored as if
 * somebody had written it.
 */
public final class OutsideText {
  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\";\\s]*)", Pattern.CASE_INSENSITIVE);
  private static final int CHUNK_CHARACTERS = 8192;
  private static final char BYTE_ORDER_MARK = '\ufeff';
  private static final byte[] UTF8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private OutsideText() {}

  /**
   * Returns the charset that a {@code Content-Type} names, if it names one.
   *
   * @param contentType the header; null if there is none
   * @throws UniserveException if there is no such charset here
   */
  public static Optional<Charset> charset(String contentType) {
    Matcher named = CHARSET.matcher(contentType == null ? "" : contentType);
    return named.find() ? Optional.of(charsetNamed(named.group(1))) : Optional.empty();
  }

  /**
   * Returns the charset of a name.
   *
   * @throws UniserveException if there is none
   */
  public static Charset charsetNamed(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw UniserveException.invalid("charset '" + Excerpt.of(name) + "' is not known");
    }
  }

  /**
   * Converts a text to UTF-8, without a byte order mark.
   *
   * @param what a name of the text, for the error
   * @throws UniserveException naming the first byte that is no character of the charset, and its
   *     line
   */
  public static byte[] utf8(byte[] text, Charset charset, String what) {
    if (!charset.equals(StandardCharsets.UTF_8)) {
      return withoutMark(decode(text, charset, what).getBytes(StandardCharsets.UTF_8));
    }
    requireUtf8(text, 0, text.length, what);
    if (text.length > 1 && (text[0] == 0 || text[1] == 0)) {
      throw UniserveException.invalid(
          what + " is not UTF-8: it begins with a zero, as UTF-16 does");
    }
    return withoutMark(text);
  }

  private static byte[] withoutMark(byte[] text) {
    boolean marked = text.length >= 3 && Arrays.equals(text, 0, 3, UTF8_MARK, 0, 3);
    return marked ? Arrays.copyOfRange(text, UTF8_MARK.length, text.length) : text;
  }

  /** Returns a text without the byte order mark that it may begin with. */
  public static String withoutMark(String text) {
    return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
  }

  /** Decodes bytes into characters; throws as {@link #utf8}. */
  public static String decode(byte[] text, Charset charset, String what) {
    StringBuilder characters = new StringBuilder(text.length);
    read(ByteBuffer.wrap(text), charset, what, characters);
    return characters.toString();
  }

  /** Checks that part of an array is UTF-8; throws as {@link #utf8}. */
  public static void requireUtf8(byte[] text, int offset, int length, String what) {
    read(ByteBuffer.wrap(text, offset, length), StandardCharsets.UTF_8, what, null);
  }

  private static void read(ByteBuffer text, Charset charset, String what, StringBuilder target) {
    int start = text.position();
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CharBuffer chunk = CharBuffer.allocate(Math.min(CHUNK_CHARACTERS, text.remaining() + 1));
    CoderResult result;
    do {
      result = decoder.decode(text, chunk, true);
      if (result.isUnderflow()) {
        result = decoder.flush(chunk);
      }
      if (result.isError()) {
        throw malformed(text, start, charset, what);
      }
      if (target != null) {
        target.append(chunk.flip());
      }
      chunk.clear();
    } while (result.isOverflow());
  }

  private static UniserveException malformed(
      ByteBuffer text, int start, Charset charset, String what) {
    long line = 1;
    for (int i = start; i < text.position(); i++) {
      line += text.get(i) == '\n' ? 1 : 0;
    }
    return UniserveException.invalid(
        "%s is not %s: byte 0x%02X on line %d"
            .formatted(what, charset.name(), text.get(text.position()), line));
  }

  /**
   * Checks that a text, which escapes may have produced, has no unpaired surrogate, since that
   * cannot be stored.
   *
   * @return the text
   * @throws UniserveException naming the surrogate
   */
  public static String requireWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (Character.isSurrogate(each)) {
        boolean pair =
            Character.isHighSurrogate(each)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          throw UniserveException.invalid(
              "\\u%04x is half a character, at %d of a text".formatted((int) each, i + 1));
        }
        i++;
      }
    }
    return text;
  }
}
