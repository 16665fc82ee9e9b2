package io.uniserve.runtime.wire.stream;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;

/**
 * A stream as its creator describes it. It has no secrets: those are in a file of each process that
 * reads streams.
 *
 * @param name the name, which no other stream has
 * @param table the name of the table that its records go to
 * @param source the kind of its source, such as {@code kafka}
 * @param address the address of the source, such as {@code host:port}, or several with commas
 * @param topic the topic at the source
 * @param format the format of a record, such as {@code jsonl}
 * @param start the place where reading begins
 * @param onBad the fate of a record that the table cannot take
 */
public record StreamDefinition(
    String name,
    String table,
    String source,
    String address,
    String topic,
    String format,
    Start start,
    OnBad onBad) {
  private static final int TEXT_MAX = 1_000;
  private static final int NAME_MAX = 100;

  /** The place in a topic where the reading of a stream begins. */
  public enum Start {
    /** The oldest record that the topic has. */
    @Name("EARLIEST")
    EARLIEST,
    /** The end of the topic as it is when the stream is first read. */
    @Name("LATEST")
    LATEST
  }

  /** The fate of a record that the table cannot take. */
  public enum OnBad {
    /** The stream stops before it, until it is resumed. */
    @Name("STOP")
    STOP,
    /** It is passed over and counted. */
    @Name("SKIP")
    SKIP
  }

  /**
   * Requires that texts are there and are not too long.
   *
   * @throws UniserveException naming the one at fault
   */
  public void requireValid() {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]*") || name.length() > NAME_MAX) {
      throw UniserveException.invalid(
          "stream: a name is at most "
              + NAME_MAX
              + " letters, digits, '_', '-' and '.', and begins with a letter or digit, not '"
              + shortened(name)
              + "'");
    }
    requireText("address", address);
    requireText("topic", topic);
  }

  private void requireText(String what, String text) {
    if (text.isBlank() || text.length() > TEXT_MAX) {
      throw UniserveException.invalid(
          "stream '"
              + name
              + "': the "
              + what
              + " has 1 to "
              + TEXT_MAX
              + " characters, not '"
              + shortened(text)
              + "'");
    }
  }

  private static String shortened(String text) {
    return text.length() > NAME_MAX ? text.substring(0, NAME_MAX) + "..." : text;
  }
}
