package io.uniserve.bench.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DocumentCutterTest {

  private final DocumentCutter cutter = new DocumentCutter(10);

  @Test
  void cutsAtTheLastWhiteSpaceThatFits() {
    assertThat(cutter.cut("one two three four")).containsExactly("one two", "three four");
  }

  @Test
  void keepsTextThatFitsWhole() {
    assertThat(cutter.cut("ten bytes!")).containsExactly("ten bytes!");
  }

  @Test
  void fillsAPieceUpToWhiteSpaceThatComesRightAfterTheLimit() {
    assertThat(cutter.cut("ten bytes! more")).containsExactly("ten bytes!", "more");
  }

  @Test
  void cutsAWordThatIsLongerThanAPiece() {
    assertThat(cutter.cut("abcdefghijklm no")).containsExactly("abcdefghij", "klm no");
  }

  @Test
  void countsBytesAndNeverSplitsACharacter() {
    String clefs = "𝄞".repeat(5);

    assertThat(cutter.cut(clefs)).containsExactly("𝄞𝄞", "𝄞𝄞", "𝄞");
    assertThat(cutter.cut("ääääää"))
        .allSatisfy(
            piece ->
                assertThat(piece.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(10))
        .containsExactly("äääää", "ä");
  }

  @Test
  void leavesBlankTextOut() {
    assertThat(cutter.cut(" \n\n ")).isEmpty();
    assertThat(cutter.cut("a" + " ".repeat(30) + "b")).containsExactly("a", "b");
  }

  @Test
  void makesProgressWhereACharacterIsLargerThanAPiece() {
    assertThat(new DocumentCutter(1).cut("äb")).hasSize(2);
  }
}
