package io.uniserve.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class ExcerptTest {
  @Test
  void shortTextIsShownWhole() {
    assertThat(Excerpt.of("x".repeat(100))).isEqualTo("x".repeat(100));
    assertThat(Excerpt.of(null)).isEqualTo("null");
    assertThat(Excerpt.of(7)).isEqualTo("7");
  }

  @Test
  void ofLongTextTheBeginningAndTheLengthAreShown() {
    assertThat(Excerpt.of("x".repeat(54_321))).isEqualTo("x".repeat(100) + "… (54321 characters)");
  }

  @Test
  void noCharacterIsCutInTwo() {
    String clapper = "\ud83c\udfac";

    assertThat(Excerpt.of("x".repeat(99) + clapper.repeat(9)))
        .isEqualTo("x".repeat(99) + "… (117 characters)");
    assertThat(new UniserveException(ErrorCode.INTERNAL, clapper.repeat(999) + "x").getMessage())
        .isEqualTo(
            clapper.repeat(150) + "… (1550 characters left out) …" + clapper.repeat(74) + "x");
  }

  @Test
  void aMessageThatIsTooLongLosesItsMiddle() {
    String message =
        UniserveException.invalid("name=" + "x".repeat(50_000) + " is no number").getMessage();

    assertThat(message).hasSizeLessThan(Excerpt.MESSAGE_CHARACTERS_MAX);
    assertThat(message).startsWith("name=xxx").contains("left out").endsWith("x is no number");
    String whole = "x".repeat(Excerpt.MESSAGE_CHARACTERS_MAX);
    assertThat(UniserveException.invalid(whole).getMessage()).isEqualTo(whole);
  }

  @Test
  void aReasonNamesNoClass() {
    assertThat(UniserveException.of(new NoSuchFileException("/tmp/x")).getMessage())
        .isEqualTo("no such file: /tmp/x");
    assertThat(UniserveException.reason(new IOException("cut off"))).isEqualTo("io: cut off");
    assertThat(UniserveException.reason(new StackOverflowError()))
        .isEqualTo("stack overflow error");
    assertThat(UniserveException.reason(UniserveException.invalid("x is bad")))
        .isEqualTo("x is bad");
  }
}
