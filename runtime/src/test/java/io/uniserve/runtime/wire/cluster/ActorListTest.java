package io.uniserve.runtime.wire.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActorListTest {
  private static ActorState actor(int epoch) {
    return new ActorState(epoch, "a", List.of(), Commitment.NONE, List.of());
  }

  private static List<ActorState> actors(int count) {
    return IntStream.range(0, count).mapToObj(ActorListTest::actor).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 129, 1_000})
  void isTheListItWasMadeOf(int count) {
    List<ActorState> actors = actors(count);
    ActorList list = ActorList.of(actors);
    assertThat(list).isEqualTo(actors).hasSameHashCodeAs(actors);
    assertThat(ActorList.of(list)).isSameAs(list);
    assertThatThrownBy(() -> list.get(count)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 127, 128, 129, 1_000})
  void changesInOnePlaceOfACopy(int count) {
    ActorList list = ActorList.of(actors(count));
    for (int number : List.of(0, count / 2, count - 1)) {
      List<ActorState> expected = new ArrayList<>(actors(count));
      expected.set(number, actor(-1));
      assertThat(list.with(number, actor(-1))).isEqualTo(expected);
    }
    assertThat(list).isEqualTo(actors(count));
    assertThatThrownBy(() -> list.with(count, actor(-1)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
