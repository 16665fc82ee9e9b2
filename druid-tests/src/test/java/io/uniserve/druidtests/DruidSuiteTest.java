package io.uniserve.druidtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test that Druid's own tests of SQL pass on actors, but for those that {@code differences.txt}
 * names. A build runs a selection; {@code -Ddruid.tests=whole} runs all, for tables of one, four
 * and seven actors. {@code -Ddruid.tests=CalciteQueryTest,CalciteJoinQueryTest} runs some classes,
 * and {@code -Ddruid.actors=0,4} chooses numbers of actors, where 0 stands for Druid alone.
 */
class DruidSuiteTest {
  private static final List<String> SELECTION =
      List.of(
          "CalciteTimeBoundaryQueryTest",
          "CalciteUnionQueryTest",
          "CalciteLookupFunctionQueryTest",
          "CalciteCorrelatedQueryTest",
          "CalciteSimpleQueryTest");

  private static final List<String> WHOLE =
      List.of(
          "CalciteArraysQueryTest",
          "CalciteCorrelatedQueryTest",
          "CalciteExplainQueryTest",
          "CalciteGroupByQueryTest",
          "CalciteJoinQueryTest",
          "CalciteLookupFunctionQueryTest",
          "CalciteMultiValueStringQueryTest",
          "CalciteNestedDataQueryTest",
          "CalciteParameterQueryTest",
          "CalciteQueryTest",
          "CalciteScanSignatureTest",
          "CalciteSelectQueryTest",
          "CalciteSimpleQueryTest",
          "CalciteSubqueryTest",
          "CalciteSysQueryTest",
          "CalciteTableAppendTest",
          "CalciteTimeBoundaryQueryTest",
          "CalciteUnionQueryTest",
          "CalciteWindowQueryTest",
          "DrillWindowQueryTest",
          "SqlVectorizedExpressionSanityTest");

  private static final String TESTS = System.getProperty("druid.tests", "selection");

  private static List<String> classes() {
    return switch (TESTS) {
      case "selection" -> SELECTION;
      case "whole" -> WHOLE;
      default -> List.of(TESTS.split(","));
    };
  }

  static List<Integer> actors() {
    String standard = TESTS.equals("selection") ? "4" : "1,4,7";
    return Arrays.stream(System.getProperty("druid.actors", standard).split(","))
        .map(Integer::valueOf)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("actors")
  void testsOfDruidPassOnActors(int actors) {
    SuiteRun run = SuiteRun.of(classes(), actors);

    int all = run.passed() + run.failed();
    System.out.printf(
        "%d actors: %,d of %,d tests of Druid pass (%.1f %%); %,d leave themselves out%n",
        actors, run.passed(), all, 100.0 * run.passed() / all, run.left());
    write(run, actors);
    TreeSet<String> unexpected = new TreeSet<>(run.failures().keySet());
    unexpected.removeAll(differences().keySet());
    assertThat(unexpected).as("failed tests that are in no list").isEmpty();
    assertThat(run.passed()).isPositive();
  }

  /** Returns the tests that are known to fail, with the reasons. */
  private static SortedMap<String, String> differences() {
    try (var lines = DruidSuiteTest.class.getResourceAsStream("differences.txt")) {
      SortedMap<String, String> known = new TreeMap<>();
      for (String line :
          new String(lines.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
              .lines()
              .toList()) {
        int space = line.indexOf(' ');
        if (space > 0 && !line.startsWith("#")) {
          known.put(line.substring(0, space), line.substring(space + 1));
        }
      }
      return known;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the failures where one can read them. */
  private static void write(SuiteRun run, int actors) {
    StringBuilder text = new StringBuilder();
    run.failures()
        .forEach((name, each) -> text.append(name).append('\n').append(String.join("", each)));
    try {
      Files.writeString(Path.of("target/failures-" + actors + ".txt"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
