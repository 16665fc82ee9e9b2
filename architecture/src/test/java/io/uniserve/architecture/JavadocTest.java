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

/**
 * The first words of Javadoc: a noun phrase for a class, for a parameter and for what is returned,
 * a verb for a method.
 */
class JavadocTest {
  /** A first word after which neither a noun phrase nor a verb can follow. */
  private static final Pattern RIDDLE =
      Pattern.compile(
          "/\\*\\*\\s*(?:\\*\\s+)?((?:What|Whether|Who|Whom|Whose|Of|How|Why|Which)\\b.*)");

  /** A first word of a description that continues the parameter's name and is no phrase alone. */
  private static final Pattern HALF =
      Pattern.compile(
          "\\*\\s+@(?:param\\s+\\S+|return)\\s+(?:\\*\\s+)?"
              + "((?:what|whatever|whether|whom?|whose|how|why|which|where|when|until|since|if|as"
              + "|of|in|on|at|by|for|from|to|with|without|between|among|before|after|about)\\b.*)");

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

  @Test
  void aDescriptionIsAPhrase() {
    String parameter = " * @param"; // apart, so that the check does not find it here
    String result = " * @return";
    String halves =
        parameter + " copies of the actor\n" + result + "\n *     whether it moved\n */";
    String phrases = parameter + " copies the actor's copies\n" + result + " true if it moved\n */";

    assertThat(riddles("A.java", halves))
        .containsExactly("A.java: of the actor", "A.java: whether it moved");
    assertThat(riddles("A.java", phrases)).isEmpty();
  }

  private static Stream<String> riddles(String name, String text) {
    return Stream.of(RIDDLE, HALF)
        .flatMap(pattern -> pattern.matcher(text).results())
        .map(found -> name + ": " + found.group(1));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }
}
