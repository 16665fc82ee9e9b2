package io.uniserve.simulation.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiguresTest {
  @TempDir private Path directory;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @ParameterizedTest
  @ValueSource(
      strings = {"scan-4", "scan-5", "scan-6", "scan-8", "scan-10", "scan-12", "scan-scale"})
  void aSmallRunOfScansHasTwoPlots(String name) throws Exception {
    assertThat(run(name)).isZero();
    assertThat(lines("figure-%s.csv".formatted(name))).hasSizeGreaterThan(2);
    assertHasVerdicts(name);
    assertIsDrawing(directory.resolve("figure-%sa.svg".formatted(name)));
    assertIsDrawing(directory.resolve("figure-%sb.svg".formatted(name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2",
        "3",
        "5b",
        "6",
        "7",
        "8",
        "11",
        "12",
        "13",
        "14",
        "16",
        "workloads",
        "scan-7",
        "scan-9",
        "scan-11"
      })
  void aSmallRunGivesNumbersAPlotAndClaims(String name) throws Exception {
    assertThat(run(name)).isZero();
    assertThat(lines("figure-%s.csv".formatted(name))).hasSizeGreaterThan(2);
    assertHasVerdicts(name);
    assertIsDrawing(directory.resolve("figure-%s.svg".formatted(name)));
  }

  @Test
  void figureNineHasTwoPlots() throws Exception {
    assertThat(run("9")).isZero();
    assertIsDrawing(directory.resolve("figure-9a.svg"));
    assertIsDrawing(directory.resolve("figure-9b.svg"));
  }

  @Test
  void theSameSeedsGiveTheSameNumbers() throws Exception {
    run("8");
    List<String> first = lines("figure-8.csv");
    run("8");
    assertThat(lines("figure-8.csv")).isEqualTo(first);
  }

  @Test
  void aGroupHasAllItsFigures() {
    assertThat(Figures.names()).contains("placement", "scans", "all", "2", "scan-6", "scan-scale");
  }

  @Test
  void badArgumentsAreExplained() {
    assertThat(Figures.run(new PrintStream(printed), "4")).isEqualTo(2);
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("no figure '4'", "Usage:");
    assertThat(Figures.run(new PrintStream(printed), "2", "--trials", "0")).isEqualTo(2);
    assertThat(Figures.run(new PrintStream(printed))).isEqualTo(2);
  }

  private void assertHasVerdicts(String name) throws IOException {
    assertThat(lines("figure-%s.md".formatted(name)))
        .hasSizeGreaterThan(2)
        .anyMatch(line -> line.matches(".*\\| (holds|holds in part|does not hold) \\|"));
  }

  private int run(String name) {
    return Figures.run(
        new PrintStream(printed),
        name,
        "--small",
        "--queries",
        "2000",
        "--out",
        directory.toString());
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(directory.resolve(file));
  }

  private static void assertIsDrawing(Path file) throws Exception {
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(Files.readAllBytes(file)));
    assertThat(document.getElementsByTagName("text").getLength()).isGreaterThan(6);
    assertThat(Files.readString(file)).doesNotContain("NaN", "Infinity");
  }
}
