package io.uniserve.node.cli.sql;

import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The commands of a conversation in SQL that are no SQL, typed or piped.
 *
 * @param schema what the warehouse has now
 */
record ShellCommands(Supplier<SqlSchemaText> schema) {
  private static final String BEGINNING = "\\";
  private static final String END = "\\q";
  private static final List<String> HELP =
      List.of(
          "Statements end with ; and may have several lines.",
          "\\d        tables and columns",
          "\\?        this",
          "\\q        ends, as Ctrl-D does",
          "Tab       completes names of tables and columns",
          "Up, Down  earlier statements; Ctrl-R searches them",
          "Ctrl-C    drops what is typed, or stops waiting for an answer");

  /** Whether a line that begins no statement is a command. */
  static boolean isOne(String line) {
    return line.strip().startsWith(BEGINNING);
  }

  /** Whether a command ends the conversation. */
  static boolean isEnd(String line) {
    return line.strip().equals(END);
  }

  /**
   * What a command shows.
   *
   * @throws UniserveException if there is no such command, or the schema cannot be asked for
   */
  List<String> lines(String line) {
    String command = line.strip();
    return switch (command) {
      case "\\d" -> schema.get().lines();
      case "\\?" -> HELP;
      default ->
          throw UniserveException.invalid(command + " is no command; \\? tells which there are");
    };
  }
}
