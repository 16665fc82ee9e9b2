package io.uniserve.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.base.BenchException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportTest {

  @Test
  void numbersHaveThreeSignificantDigits() {
    assertThat(Figures.number(0.0796)).isEqualTo("0.080");
    assertThat(Figures.number(4.2)).isEqualTo("4.20");
    assertThat(Figures.number(13.94)).isEqualTo("13.9");
    assertThat(Figures.number(1940.3)).isEqualTo("1,940");
    assertThat(Figures.millis(6_200_000)).isEqualTo("6.20 ms");
  }

  @Test
  void tablesAreAlignedMarkdown() {
    Table table = new Table("a", "long header");
    table.add("value", "1");

    assertThat(table.toString())
        .isEqualTo(
            """
            | a     | long header |
            | ----- | ----------- |
            | value | 1           |""");
  }

  @Test
  void aSectionIsReplacedAndItsSurroundingsStay() {
    String before = "# Title\n<!-- search: begin -->\nold\n<!-- search: end -->\nafter\n";

    assertThat(DocsSection.replaced(Path.of("b.md"), before, "search", "new\n"))
        .isEqualTo("# Title\n<!-- search: begin -->\nnew\n<!-- search: end -->\nafter\n");
    assertThatThrownBy(() -> DocsSection.replaced(Path.of("b.md"), before, "loading", "new"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("b.md");
  }

  @Test
  void aSectionIsReplacedInTheOnePageThatHasAPlaceForIt(@TempDir Path pages) throws Exception {
    Path searches = pages.resolve("search.md");
    Path updates = pages.resolve("updates.md");
    Files.writeString(searches, "<!-- search: begin -->\nold\n<!-- search: end -->\n");
    Files.writeString(updates, "<!-- updates: begin -->\nold\n<!-- updates: end -->\n");

    DocsSection.replaceIn(pages, "search", "new");

    assertThat(searches).hasContent("<!-- search: begin -->\nnew\n<!-- search: end -->\n");
    assertThat(updates).hasContent("<!-- updates: begin -->\nold\n<!-- updates: end -->\n");
    assertThatThrownBy(() -> DocsSection.replaceIn(pages, "loading", "new"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("loading");
  }

  @Test
  void theBarChartIsAWellFormedPictureWithEveryValue() throws Exception {
    BarChart chart =
        new BarChart(
            "A < B & C",
            List.of("one", "two"),
            List.of(
                new BarChart.Series("1 client", List.of(1.25, 2.5)),
                new BarChart.Series("4 clients", List.of(0.0, 1.0))));

    Document picture =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(chart.svg())));

    assertThat(picture.getDocumentElement().getTextContent())
        .contains("A < B & C", "one", "two", "1.25", "2.50", "1.00", "-");
  }
}
