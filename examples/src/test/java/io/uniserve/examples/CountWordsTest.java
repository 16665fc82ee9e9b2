package io.uniserve.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CountWordsTest {
  @TempDir private Path directory;

  @Test
  void countsLikeAPlainScanWithAllServersAndWithoutOne() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CountWords.run(directory, new PrintStream(bytes, true, StandardCharsets.UTF_8));

    List<String> counts = scan(CountWords.films());
    List<String> expected = new ArrayList<>();
    expected.add("113 films on 4 servers, 4 actors, 2 copies of each");
    expected.add(
        CountWords.films().stream().mapToInt(film -> film.length() + 1).sum() + " characters");
    expected.addAll(counts);
    expected.add("without server s2");
    expected.addAll(counts);
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).containsExactlyElementsOf(expected);
  }

  @Test
  void theTextHasWhatIsCounted() throws IOException {
    assertThat(scan(CountWords.films())).noneMatch(line -> line.strip().startsWith("0"));
  }

  /** Looks for whole words in each line by itself. */
  private static List<String> scan(List<String> lines) {
    List<String> counts = new ArrayList<>();
    for (String word : CountWords.WORDS) {
      Pattern whole =
          Pattern.compile("(?<!\\p{L})" + word + "(?!\\p{L})", Pattern.CASE_INSENSITIVE);
      long count = lines.stream().mapToLong(line -> whole.matcher(line).results().count()).sum();
      counts.add(String.format("%6d %s", count, word));
    }
    return counts;
  }
}
