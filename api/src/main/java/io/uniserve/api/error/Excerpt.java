package io.uniserve.api.error;

/**
 * Shortened texts for messages. A short text is shown whole; a long one by its beginning and its
 * length. No message repeats a whole request.
 */
public final class Excerpt {
  /** The longest text that is shown whole, in characters. */
  public static final int CHARACTERS_MAX = 100;

  /** The longest message of an error, in characters. */
  public static final int MESSAGE_CHARACTERS_MAX = 500;

  private static final int MESSAGE_START = 300;
  private static final int MESSAGE_END = 150;

  private Excerpt() {}

  /**
   * Returns the text of a value, or its beginning and its length if it is longer than {@link
   * #CHARACTERS_MAX}.
   */
  public static String of(Object value) {
    String text = String.valueOf(value);
    return text.length() <= CHARACTERS_MAX
        ? text
        : beginning(text, CHARACTERS_MAX) + "… (" + text.length() + " characters)";
  }

  /**
   * Shortens a message to {@link #MESSAGE_CHARACTERS_MAX}. It leaves out the middle: the beginning
   * names the subject, and the end says what is wrong with it.
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
