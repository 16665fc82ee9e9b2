package io.uniserve.node.cli.sql;

import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The commands of a conversation in SQL that are not SQL, typed or piped.
 *
 * @param schema returns the warehouse's present schema
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

  /** Returns whether a line that begins no statement is a command. */
  static boolean isOne(String line) {
    return line.strip().startsWith(BEGINNING);
  }

  /** Returns whether a command ends the conversation. */
  static boolean isEnd(String line) {
    return line.strip().equals(END);
  }

  /**
   * Returns the output of a command.
   *
   * @throws UniserveException if there is no such command, or the schema cannot be read
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
