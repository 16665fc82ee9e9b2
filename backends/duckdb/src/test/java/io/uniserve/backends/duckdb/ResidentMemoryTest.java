package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests of a process's memory while statements make large values of every kind. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ResidentMemoryTest {
  private static final int HEAP_MEGABYTES = 256;
  private static final int BUDGET_MEGABYTES = 256;

  /** A tenth more ends statements; the rest is what three of them make before they hear of it. */
  private static final double MOST = 1.5;

  private static final List<String> STATEMENTS =
      List.of(
          "select sum(length(repeat('x', 131072) || i || repeat('y', 131072) || i))"
              + " from range(100000) t(i)",
          "select sum(length(s || i || s || i || s || i || s || i || s || i))"
              + " from (select repeat('x', 4000) || i s, i from range(100000) t(i))",
          "select sum(length(concat(repeat('x', 8000 + i % 9), i, 'a', repeat('y', 100))))"
              + " from range(100000) t(i)",
          "select sum(length(concat_ws(repeat('x', 8000 + i % 9), i, i, i, i, i)))"
              + " from range(100000) t(i)",
          "select sum(length(upper(s)) + length(lower(s)) + length(reverse(s)) + length(hex(s)))"
              + " from (select repeat('x', 7000 + i % 10) s from range(100000) t(i))",
          "select max(length(x || i)) from (select string_agg(repeat('x', 100 + i), '') x"
              + " from range(100) t(i)), range(100000) t(i)",
          "select count(*) from (select distinct repeat('x', 1000) || i from range(1000000) t(i))",
          "select sum(len([s, s, s, s, s, s, s, s]))"
              + " from (select repeat('x', 7000 + i % 10) s from range(100000) t(i))",
          "select sum(len(list_transform(range(1000), lambda x: repeat('y', 1000) || x || i)))"
              + " from range(2048) t(i)",
          "select sum(len(string_split(s, '')))"
              + " from (select repeat('x', 7000 + i % 10) s from range(100000) t(i))",
          "with recursive r(s, n) as (select 'x', 1 union all select s || s, n + 1 from r"
              + " where n < 40) select max(length(s)) from r");

  @Test
  void statementsAreRefusedOrEndedBeforeTheyFillTheMachine() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-D" + MemoryBudget.PROPERTY + "=" + BUDGET_MEGABYTES,
                "-cp",
                System.getProperty("java.class.path"),
                HungryStatements.class.getName()));
    command.addAll(STATEMENTS);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(told).isZero();
      assertThat(told.lines()).hasSize(STATEMENTS.size());
      assertThat(told.lines())
          .as(told)
          .allMatch(
              line ->
                  Long.parseLong(line.split("\t")[0]) < MOST * (HEAP_MEGABYTES + BUDGET_MEGABYTES))
          .allMatch(line -> Stream.of("TOO_LARGE", "EXHAUSTED", "gives").anyMatch(line::contains));
    } finally {
      process.destroyForcibly();
    }
  }
}
