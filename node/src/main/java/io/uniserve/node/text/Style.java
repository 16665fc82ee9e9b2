package io.uniserve.node.text;

/**
 * The colours for terminals.
 *
 * @param coloured true if they are used
 */
public record Style(boolean coloured) {

  /** Returns colours if standard output is a terminal and {@code NO_COLOR} is not set. */
  public static Style ofTerminal() {
    boolean terminal = System.console() != null && System.console().isTerminal();
    String kind = System.getenv("TERM");
    return new Style(terminal && System.getenv("NO_COLOR") == null && !"dumb".equals(kind));
  }

  /** Returns text that stands out. */
  public String strong(String text) {
    return in("1", text);
  }

  /** Returns text that stands back. */
  public String faint(String text) {
    return in("2", text);
  }

  /** Returns text of a success. */
  public String good(String text) {
    return in("32", text);
  }

  /** Returns text of a failure. */
  public String bad(String text) {
    return in("31", text);
  }

  /** Returns text that should be noticed. */
  public String warm(String text) {
    return in("33", text);
  }

  /** Returns text of a name or a figure. */
  public String cool(String text) {
    return in("36", text);
  }

  private String in(String code, String text) {
    return coloured ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
