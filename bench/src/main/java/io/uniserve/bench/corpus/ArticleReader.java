package io.uniserve.bench.corpus;

import io.uniserve.bench.base.BenchException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tukaani.xz.XZInputStream;

/**
 * A reader of articles from one xz file of {@code <doc id="12" url="…" title="Anarchism">}, body,
 * {@code </doc>}.
 */
final class ArticleReader implements Closeable {

  private static final Pattern HEADER =
      Pattern.compile("<doc id=\"([^\"]+)\" url=\"[^\"]*\" title=\"(.*)\">");
  private static final String END = "</doc>";

  private final String file;
  private final BufferedReader lines;

  ArticleReader(String file, BufferedReader lines) {
    this.file = file;
    this.lines = lines;
  }

  static ArticleReader open(Path file) {
    try {
      XZInputStream text = new XZInputStream(new BufferedInputStream(Files.newInputStream(file)));
      InputStreamReader characters = new InputStreamReader(text, StandardCharsets.UTF_8);
      return new ArticleReader(file.toString(), new BufferedReader(characters, 1 << 16));
    } catch (IOException e) {
      throw new BenchException("Cannot open " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the next article, or empty at the end of the file.
   *
   * @throws BenchException if the file is damaged, truncated, or not of this form
   */
  Optional<Article> next() {
    try {
      String header = lines.readLine();
      while (header != null && header.isBlank()) {
        header = lines.readLine();
      }
      return header == null ? Optional.empty() : Optional.of(article(header));
    } catch (IOException e) {
      throw new BenchException(file + " is damaged or truncated: " + e.getMessage(), e);
    }
  }

  private Article article(String header) throws IOException {
    Matcher matcher = HEADER.matcher(header);
    if (!matcher.matches()) {
      throw new BenchException(file + " has a line that begins no article: " + header);
    }
    StringBuilder body = new StringBuilder();
    for (String line = lines.readLine(); !END.equals(line); line = lines.readLine()) {
      if (line == null) {
        throw new BenchException(file + " ends within article " + matcher.group(1));
      }
      body.append(line).append('\n');
    }
    return new Article(matcher.group(1), matcher.group(2), body.toString());
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
