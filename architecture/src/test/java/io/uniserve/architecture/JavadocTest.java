package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first words of Javadoc: a noun phrase for a class, a verb for a method. */
class JavadocTest {
  /** A first word after which neither a noun phrase nor a verb can follow. */
  private static final Pattern RIDDLE =
      Pattern.compile(
          "/\\*\\*\\s*(?:\\*\\s+)?((?:What|Whether|Who|Whom|Whose|Of|How|Why|Which)\\b.*)");

  static List<String> modules() {
    return Modules.NAMES;
  }

  @ParameterizedTest
  @MethodSource("modules")
  void namesItsSubject(String module) throws IOException {
    try (Stream<Path> files = Files.walk(Modules.ROOT.resolve(module).resolve("src"))) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .flatMap(file -> riddles(Modules.ROOT.relativize(file).toString(), text(file))))
          .isEmpty();
    }
  }

  @Test
  void theCheckSeesWhatItLooksFor() {
    String begin = "/**"; // apart, so that the check does not find it here
    String lines = begin + " What a copy holds. */\n" + begin + "\n * Whether it leads.\n */";

    assertThat(riddles("A.java", lines))
        .containsExactly("A.java: What a copy holds. */", "A.java: Whether it leads.");
    assertThat(riddles("A.java", begin + " Returns whether it leads. */\n// What it is."))
        .isEmpty();
  }

  private static Stream<String> riddles(String name, String text) {
    return RIDDLE.matcher(text).results().map(found -> name + ": " + found.group(1));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }
}
