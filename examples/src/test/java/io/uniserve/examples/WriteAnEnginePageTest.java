package io.uniserve.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that explains the example shows what is in the files, and no more than it says. */
class WriteAnEnginePageTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  private static final Path PAGE = MODULE.resolve("../docs/write-an-engine.md");
  private static final Path ENGINE = source("main", "WordCounter");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static Path source(String kind, String name) {
    return MODULE.resolve("src/" + kind + "/java/io/uniserve/examples/" + name + ".java");
  }

  @Test
  void thePageShowsTheWholeEngine() throws IOException {
    String shown = String.join("", blocks(section("The engine")));

    assertThat(withoutBlankLines(shown)).isEqualTo(withoutBlankLines(Files.readString(ENGINE)));
  }

  @Test
  void thePageShowsWhatTheProgramDoes() throws IOException {
    assertShown("Run it", source("main", "CountWords"), 5);
  }

  @Test
  void thePageShowsTheConformanceTest() throws IOException {
    assertShown("Check it", source("test", "WordCounterConformanceTest"), 3);
  }

  @Test
  void theReadmeShowsAPartOfTheEngine() throws IOException {
    List<String> shown = blocks(Files.readString(MODULE.resolve("../README.md")));

    assertThat(shown).hasSize(1);
    assertThat(Files.readString(ENGINE)).contains(shown.getFirst().stripTrailing());
  }

  @Test
  void theEngineIsFoundAsAPlugInIs() {
    assertThat(ServiceLoader.load(Engine.class))
        .anySatisfy(engine -> assertThat(engine).isInstanceOf(WordCounter.class));
  }

  private static void assertShown(String section, Path file, int count) throws IOException {
    List<String> blocks = blocks(section(section));
    assertThat(blocks).hasSize(count);
    String source = Files.readString(file);
    assertThat(blocks).allSatisfy(block -> assertThat(source).contains(block.stripTrailing()));
  }

  private static String section(String title) throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("\n## " + title + "\n");
    assertThat(start).as(title).isNotNegative();
    int end = page.indexOf("\n## ", start + 1);
    return page.substring(start, end);
  }

  private static List<String> blocks(String section) {
    return BLOCK.matcher(section).results().map(match -> match.group(1)).toList();
  }

  private static List<String> withoutBlankLines(String text) {
    return text.lines().filter(line -> !line.isBlank()).toList();
  }
}
