package io.uniserve.api;

/**
 * What messages show of the text of others: a short one whole; of a long one the beginning, and how
 * long it is. No message repeats a whole request.
 */
public final class Excerpt {
  /** The longest text that is shown whole. */
  public static final int CHARACTERS_MAX = 100;

  /** The longest message of an error. */
  public static final int MESSAGE_CHARACTERS_MAX = 500;

  private static final int MESSAGE_START = 300;
  private static final int MESSAGE_END = 150;

  private Excerpt() {}

  /** The text of a value, or its beginning and its length. */
  public static String of(Object value) {
    String text = String.valueOf(value);
    return text.length() <= CHARACTERS_MAX
        ? text
        : beginning(text, CHARACTERS_MAX) + "… (" + text.length() + " characters)";
  }

  /**
   * A message within its bound. One that is too long loses its middle: its beginning says what it
   * is about, and its end what is wrong with that.
   */
  static String message(String text) {
    if (text == null || text.length() <= MESSAGE_CHARACTERS_MAX) {
      return text;
    }
    String start = beginning(text, MESSAGE_START);
    String end = end(text, MESSAGE_END);
    int left = text.length() - start.length() - end.length();
    return start + "… (" + left + " characters left out) …" + end;
  }

  private static String beginning(String text, int length) {
    boolean splits = Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, splits ? length - 1 : length);
  }

  private static String end(String text, int length) {
    int start = text.length() - length;
    return text.substring(Character.isLowSurrogate(text.charAt(start)) ? start + 1 : start);
  }
}
