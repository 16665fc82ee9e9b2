package io.uniserve.node.text;

/**
 * Colours for terminals.
 *
 * @param coloured whether they are used
 */
public record Style(boolean coloured) {

  /** Colours if standard output is a terminal and {@code NO_COLOR} is not set. */
  public static Style ofTerminal() {
    boolean terminal = System.console() != null && System.console().isTerminal();
    String kind = System.getenv("TERM");
    return new Style(terminal && System.getenv("NO_COLOR") == null && !"dumb".equals(kind));
  }

  /** Stands out. */
  public String strong(String text) {
    return in("1", text);
  }

  /** Stands back. */
  public String faint(String text) {
    return in("2", text);
  }

  /** Went well. */
  public String good(String text) {
    return in("32", text);
  }

  /** Went wrong. */
  public String bad(String text) {
    return in("31", text);
  }

  /** To be noticed. */
  public String warm(String text) {
    return in("33", text);
  }

  /** A name or a figure. */
  public String cool(String text) {
    return in("36", text);
  }

  private String in(String code, String text) {
    return coloured ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
