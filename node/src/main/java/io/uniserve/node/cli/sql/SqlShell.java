package io.uniserve.node.cli.sql;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;

/**
 * A conversation in SQL: statements over several lines, a history that outlives it, names completed
 * by the tabulator. Ctrl-C drops the typed text, or stops waiting for an answer; Ctrl-D ends it.
 */
final class SqlShell {
  private static final int HISTORY_MAX = 10_000;
  private static final Pattern DEFINING = Pattern.compile("(?i)\\s*(create|drop)\\b");

  private final Terminal terminal;
  private final String prompt;
  private final LineReader reader;
  private final Supplier<SqlSchemaText> schema;
  private final ShellCommands commands;
  private SqlSchemaText known;
  private final Function<String, List<String>> answer;

  /**
   * @param prompt the prompt
   * @param history a file, created if needed
   * @param schema returns the schema for display and completion; called again when it may have
   *     changed
   * @param answer returns the lines to show for a statement, or fails
   */
  SqlShell(
      Terminal terminal,
      String prompt,
      Path history,
      Supplier<SqlSchemaText> schema,
      Function<String, List<String>> answer) {
    this.terminal = terminal;
    this.prompt = prompt;
    this.schema = schema;
    this.commands =
        new ShellCommands(
            () -> {
              known = schema.get();
              return known;
            });
    this.known = schema.get();
    this.answer = answer;
    Completer completer =
        (line, parsed, candidates) ->
            known
                .names()
                .forEach(
                    name ->
                        candidates.add(new Candidate(name, name, null, null, null, null, false)));
    this.reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("uniserve")
            .parser(new StatementParser())
            .completer(completer)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P  > ")
            .variable(LineReader.HISTORY_FILE, history)
            .variable(LineReader.HISTORY_SIZE, HISTORY_MAX)
            .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_MAX)
            .build();
  }

  /** Goes on until it is told to end. */
  void converse() {
    show(List.of("\\? for help"));
    while (true) {
      try {
        String line = reader.readLine(prompt).strip();
        if (ShellCommands.isEnd(line)) {
          return;
        }
        if (ShellCommands.isOne(line)) {
          show(told(line));
        } else {
          run(line);
        }
      } catch (UserInterruptException e) {
        // The typed text is dropped.
      } catch (EndOfFileException e) {
        return;
      }
    }
  }

  private List<String> told(String command) {
    try {
      return commands.lines(command);
    } catch (UniserveException e) {
      return List.of(e.getMessage());
    }
  }

  /** Runs statements until one of them fails. */
  private void run(String text) {
    SqlStatements statements = new SqlStatements();
    List<String> all =
        new ArrayList<>(text.lines().flatMap(l -> statements.add(l).stream()).toList());
    Thread waiting = Thread.currentThread();
    Terminal.SignalHandler before =
        terminal.handle(Terminal.Signal.INT, signal -> waiting.interrupt());
    try {
      for (String statement : all) {
        show(answer.apply(statement));
        if (DEFINING.matcher(statement).lookingAt()) {
          known = schema.get();
        }
      }
    } catch (UniserveException e) {
      show(List.of(e.code() == ErrorCode.CANCELLED ? "not waited for" : e.getMessage()));
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
      Thread.interrupted(); // it was reported already
    }
  }

  private void show(List<String> lines) {
    lines.forEach(terminal.writer()::println);
    terminal.flush();
  }

  /** A parser that asks for more lines until a statement is finished. */
  private static final class StatementParser extends DefaultParser {
    StatementParser() {
      setEscapeChars(null);
      setQuoteChars(new char[0]);
      setRegexVariable(null);
    }

    @Override
    public ParsedLine parse(String text, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE && !ShellCommands.isOne(text)) {
        SqlStatements statements = new SqlStatements();
        text.lines().forEach(statements::add);
        if (statements.begun()) {
          throw new EOFError(-1, -1, "a statement ends with ;");
        }
      }
      return super.parse(text, cursor, context);
    }

    @Override
    public boolean isDelimiterChar(CharSequence text, int at) {
      char c = text.charAt(at);
      return !Character.isLetterOrDigit(c) && c != '_' && c != '\\';
    }
  }
}
