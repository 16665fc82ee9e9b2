package io.uniserve.runtime.server.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.StreamOffsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The watermarks of an actor. */
class WatermarksTest {
  private static StreamOffsets offsets(long first, long next) {
    return StreamOffsets.of("s", 0, first, next);
  }

  private static Watermarks at(long next) {
    Watermarks marks = new Watermarks(List.of());
    marks.reached(offsets(0, next), new Position(1, 7));
    return marks;
  }

  @Test
  void whatLiesBeforeTheMarkIsKnownHoweverItIsCut() {
    Watermarks marks = at(100);

    assertThat(marks.find(offsets(0, 100)).orElseThrow().whole()).isTrue();
    assertThat(marks.find(offsets(17, 42)).orElseThrow().position()).isEqualTo(new Position(1, 7));
    assertThat(marks.find(offsets(100, 101))).isEmpty();
    assertThat(marks.find(StreamOffsets.of("s", 1, 0, 100))).isEmpty();
    assertThat(marks.find(StreamOffsets.of("other", 0, 0, 100))).isEmpty();
  }

  @Test
  void whatLiesOnBothSidesOfTheMarkIsRefusedWithTheOffset() {
    Watermarks marks = at(100);

    assertThatThrownBy(() -> marks.requireUncut(offsets(50, 101)))
        .hasMessageContaining("those before 100 are applied already");
    marks.requireUncut(offsets(50, 100));
    marks.requireUncut(offsets(100, 150));
  }

  @Test
  void theMarkIsStored() {
    Watermarks stored = new Watermarks(at(100).stored());

    assertThat(stored.find(offsets(99, 100))).isPresent();
    assertThat(stored.find(offsets(99, 101))).isEmpty();
  }

  @Test
  void aMergedActorKnowsWhichOfItsFormerActorsHadGotFurther() {
    Watermarks marks = new Watermarks(Watermarks.ofTwo(3, at(100).stored(), 5, at(150).stored()));

    assertThat(marks.find(offsets(0, 100)).orElseThrow().whole()).isTrue();
    assertThat(marks.find(offsets(100, 150)).orElseThrow().parts()).containsExactly(Part.of(5));
    assertThat(marks.find(offsets(150, 151))).isEmpty();
    assertThatThrownBy(() -> marks.requireUncut(offsets(100, 200))).hasMessageContaining("150");

    marks.reached(offsets(100, 150), new Position(2, 9));

    assertThat(marks.find(offsets(100, 150)).orElseThrow().whole()).isTrue();
  }

  @Test
  void aFormerActorThatHasSeenNothingLacksEverything() {
    Watermarks marks = new Watermarks(Watermarks.ofTwo(3, List.of(), 5, at(150).stored()));

    assertThat(marks.find(offsets(0, 150)).orElseThrow().parts()).containsExactly(Part.of(5));
  }

  @Test
  void actorsMergedAgainKeepAllTheirParts() {
    List<Watermark> once = Watermarks.ofTwo(3, at(100).stored(), 5, at(150).stored());
    Watermarks twice = new Watermarks(Watermarks.ofTwo(6, once, 4, at(120).stored()));

    assertThat(twice.find(offsets(100, 120)).orElseThrow().parts())
        .containsExactly(new Part(5, List.of(6)), Part.of(4));
    assertThat(twice.find(offsets(0, 100)).orElseThrow().whole()).isTrue();
  }

  @Test
  void aFormerActorThatIsFarBehindGetsOnWithoutTheOther() {
    Watermarks marks = new Watermarks(Watermarks.ofTwo(3, at(100).stored(), 5, at(150).stored()));

    marks.reached(offsets(100, 120), new Position(2, 9));

    assertThat(marks.find(offsets(110, 120)).orElseThrow().whole()).isTrue();
    assertThat(marks.find(offsets(120, 150)).orElseThrow().parts()).containsExactly(Part.of(5));
    assertThat(marks.find(offsets(150, 151))).isEmpty();
  }

  /** Both have keys that actor 5 had. */
  @Test
  void theHalvesOfAMergedActorAreToldApartWhenTheyAreMergedAgain() {
    List<Watermark> merged = Watermarks.ofTwo(3, at(100).stored(), 5, at(150).stored());
    Watermarks half = new Watermarks(merged);
    half.reached(offsets(150, 170), new Position(2, 9));
    Watermarks marks = new Watermarks(Watermarks.ofTwo(6, half.stored(), 7, merged));

    assertThat(marks.find(offsets(150, 170)).orElseThrow().parts()).containsExactly(Part.of(6));
    assertThat(marks.find(offsets(100, 150)).orElseThrow().parts())
        .containsExactly(Part.of(6), new Part(5, List.of(7)));
  }

  @Test
  void equalMarksOfTwoActorsAreOneMark() {
    Watermarks marks = new Watermarks(Watermarks.ofTwo(3, at(100).stored(), 5, at(100).stored()));

    assertThat(marks.find(offsets(0, 100)).orElseThrow().whole()).isTrue();
    assertThat(marks.find(offsets(100, 101))).isEmpty();
  }

  @Test
  void marksAreBounded() {
    Watermarks marks = new Watermarks(List.of());
    for (int i = 0; i <= Watermarks.MARKS_MAX; i++) {
      marks.reached(StreamOffsets.of("s", i, 0, 10), new Position(1, i + 1));
    }

    assertThat(marks.stored()).hasSize(Watermarks.MARKS_MAX);
    assertThat(marks.find(StreamOffsets.of("s", 0, 0, 10))).isEmpty();
    assertThat(marks.find(StreamOffsets.of("s", 1, 0, 10))).isPresent();
  }
}
