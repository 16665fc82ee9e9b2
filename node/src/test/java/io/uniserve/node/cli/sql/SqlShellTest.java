package io.uniserve.node.cli.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell before a terminal whose keys the test presses. */
@Timeout(60)
class SqlShellTest {
  private static final String UP = "\u001b[A";
  private static final String CTRL_D = "\u0004";
  private static final SqlSchemaText SCHEMA =
      new SqlSchemaText(
          new TreeMap<>(Map.of("sales", Map.of("region", "varchar", "amount", "bigint"))));

  @TempDir Path directory;

  private final List<String> asked = new ArrayList<>();
  private Terminal terminal;

  /** Returns what the terminal shows if these keys are pressed, and then Ctrl-D. */
  private String type(String keys) throws IOException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    byte[] pressed = (keys + CTRL_D).getBytes(UTF_8);
    try (PipedOutputStream keyboard = new PipedOutputStream();
        PipedInputStream heard = new PipedInputStream(keyboard, pressed.length);
        Terminal closed = new ExternalTerminal("test", "ansi", heard, shown, UTF_8)) {
      terminal = closed;
      keyboard.write(pressed);
      keyboard.flush();
      new SqlShell(terminal, "w> ", directory.resolve("kept/history"), this::schema, this::answer)
          .converse();
    }
    return shown.toString(UTF_8);
  }

  private SqlSchemaText schema() {
    SortedMap<String, Map<String, Object>> tables = new TreeMap<>(SCHEMA.tables());
    asked.stream()
        .filter(sql -> sql.startsWith("create table "))
        .forEach(sql -> tables.put(sql.split(" ")[2], Map.of("made_column", "date")));
    return new SqlSchemaText(tables);
  }

  private List<String> answer(String sql) {
    asked.add(sql);
    if (sql.equals("wait")) {
      terminal.raise(Terminal.Signal.INT);
      throw new UniserveException(
          Thread.currentThread().isInterrupted() ? ErrorCode.CANCELLED : ErrorCode.INTERNAL, sql);
    }
    if (sql.startsWith("bad")) {
      throw UniserveException.invalid("no such thing as bad");
    }
    return List.of("answer " + asked.size());
  }

  @Test
  void aStatementMayHaveSeveralLines() throws IOException {
    assertThat(type("select 1\n+ 2;\nselect 3; select 4;\n"))
        .contains("answer 1", "answer 2", "answer 3");
    assertThat(asked).containsExactly("select 1\n+ 2", "select 3", "select 4");
  }

  @Test
  void aFailureIsToldAndEndsNothing() throws IOException {
    assertThat(type("bad; select 1;\nselect 2;\n")).contains("no such thing as bad", "answer 2");
    assertThat(asked).containsExactly("bad", "select 2");
  }

  @Test
  void aLaterConversationKnowsTheStatementsOfEarlierOnes() throws IOException {
    type("select 1\n+ 2;\n");
    type(UP + "\n");
    assertThat(asked).containsExactly("select 1\n+ 2", "select 1\n+ 2");
  }

  @Test
  void tablesAndColumnsAreShownAndCompleted() throws IOException {
    assertThat(type("\\d\n\\x\n")).contains("sales  amount  bigint", "\\x is no command");
    type("select sum(am\t) from sal\t;\n");
    assertThat(asked).containsExactly("select sum(amount) from sales");
  }

  @Test
  void aTableThatWasMadeIsShownAndCompletedToo() throws IOException {
    assertThat(type("create table zebra;\n\\d\n")).contains("zebra  made_column  date");
    asked.clear();
    type("create table zebra;\nselect made\t from zeb\t;\n");
    assertThat(asked).containsExactly("create table zebra", "select made_column from zebra");
  }

  @Test
  void anAnswerNeedNotBeWaitedFor() throws IOException {
    assertThat(type("wait;\nselect 1;\n")).contains("not waited for", "answer 2");
  }

  @Test
  void itEndsWhenTold() throws IOException {
    type("\\q\nselect 1;\n");
    assertThat(asked).isEmpty();
  }
}
