package io.uniserve.engines.sharedscan.schema;

import io.uniserve.api.error.UniserveException;
import java.nio.charset.StandardCharsets;

/**
 * The first bytes of texts as numbers. The bytes are the digits of the number, the first the
 * highest; a number of two texts is the less that the text before has.
 */
public final class Texts {
  private static final int BYTE_MASK = 0xff;

  private Texts() {}

  /**
   * Returns a text in UTF-8.
   *
   * @throws UniserveException if it contains the character 0
   */
  public static byte[] bytes(String text) {
    if (text.indexOf(0) >= 0) {
      throw UniserveException.invalid("a text contains the character 0");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the number of a text, which is the least of all texts that begin like it.
   *
   * @param widthBytes the number of its bytes that count
   */
  public static long least(byte[] text, int widthBytes) {
    return filled(text, widthBytes, 0);
  }

  /** Returns the greatest number of a text that begins like this one. */
  public static long greatest(byte[] text, int widthBytes) {
    return filled(text, widthBytes, BYTE_MASK);
  }

  private static long filled(byte[] text, int widthBytes, int rest) {
    long number = 0;
    for (int i = 0; i < widthBytes; i++) {
      number = number << Byte.SIZE | (i < text.length ? text[i] & BYTE_MASK : rest);
    }
    return number - (1L << Byte.SIZE * widthBytes - 1); // so that it is ordered as a signed one
  }

  /** Returns the text of a number. */
  public static String text(long number, int widthBytes) {
    byte[] bytes = new byte[widthBytes];
    int length = bytes(number, widthBytes, bytes);
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /** Puts the bytes of a number's text into an array, and returns how many there are. */
  public static int bytes(long number, int widthBytes, byte[] bytes) {
    long digits = number + (1L << Byte.SIZE * widthBytes - 1);
    int length = 0;
    for (int i = 0; i < widthBytes; i++) {
      byte digit = (byte) (digits >>> Byte.SIZE * (widthBytes - 1 - i));
      if (digit != 0) {
        bytes[i] = digit;
        length = i + 1;
      }
    }
    return length;
  }
}
