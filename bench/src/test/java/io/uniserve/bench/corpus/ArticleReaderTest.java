package io.uniserve.bench.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.base.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class ArticleReaderTest {

  private static final String TWO =
      """
      <doc id="12" url="http://x?curid=12" title="The "Anarchism" page">
      Anarchism

      is a philosophy.
      </doc>

      <doc id="25" url="http://x?curid=25" title="Autism">
      Autism
      </doc>
      """;

  @TempDir private Path directory;

  @Test
  void readsArticlesOneByOne() {
    ArticleReader reader = of(TWO);

    assertThat(reader.next())
        .contains(new Article("12", "The \"Anarchism\" page", "Anarchism\n\nis a philosophy.\n"));
    assertThat(reader.next()).contains(new Article("25", "Autism", "Autism\n"));
    assertThat(reader.next()).isEmpty();
  }

  @Test
  void refusesALineThatBeginsNoArticle() {
    assertThatThrownBy(() -> of("<dok id=\"1\">").next())
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("a.xz")
        .hasMessageContaining("<dok id=\"1\">");
  }

  @Test
  void refusesAnArticleWithoutAnEnd() {
    assertThatThrownBy(() -> of(TWO.substring(0, 80)).next())
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("a.xz ends within article 12");
  }

  @Test
  void namesATruncatedArchive() throws IOException {
    Path file = directory.resolve("cut.xz");
    Files.write(file, firstHalf(compressed(TWO.repeat(1_000))));

    assertThatThrownBy(() -> readAll(file))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("cut.xz is damaged or truncated");
  }

  private static ArticleReader of(String text) {
    return new ArticleReader("a.xz", new BufferedReader(new StringReader(text)));
  }

  private byte[] compressed(String text) throws IOException {
    Path whole = directory.resolve("whole.xz");
    try (OutputStream out = new XZOutputStream(Files.newOutputStream(whole), new LZMA2Options())) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return Files.readAllBytes(whole);
  }

  private static byte[] firstHalf(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length / 2);
  }

  private static void readAll(Path file) throws IOException {
    try (ArticleReader reader = ArticleReader.open(file)) {
      while (reader.next().isPresent()) {
        // Only the failure of the read matters here.
      }
    }
  }
}
