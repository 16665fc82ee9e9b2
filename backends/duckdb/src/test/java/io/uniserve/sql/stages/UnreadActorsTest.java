package io.uniserve.sql.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests of reading actors while they are split and merged. */
class UnreadActorsTest {
  @Test
  void whatWasReadStaysReadWhateverItBecomes() {
    UnreadActors unread = new UnreadActors("w");
    Partitioner three = new Partitioner.Hash(3);
    assertThat(read(unread, three, 1)).containsExactly(0);
    Partitioner cut =
        three
            .cut(0, new PartitionChange.Where.Bit(0), 1)
            .cut(1, new PartitionChange.Where.Bit(0), 2);
    assertThat(read(unread, cut, 2)).containsExactly(1, 2);
    assertThat(unread.more()).isTrue();
    Partitioner merged = cut.merge(0, 3, 3);
    assertThat(read(unread, merged, 9)).containsExactly(4);
    assertThat(unread.more()).isFalse();
    UnreadActors overtaken = half(cut);
    Keys next = overtaken.next(9);
    for (int planned = 0; planned < 2; planned++) {
      assertThat(cut.merge(1, 4, 3).actorsOf(next)).containsExactly(0, 2, 3, 5);
      assertThat(overtaken.beganAgain()).isTrue();
    }
    overtaken.took();
    assertThat(overtaken.beganAgain()).isFalse();
    UnreadActors given = half(cut);
    given.gave();
    assertThatThrownBy(() -> read(given, cut.merge(1, 4, 3), 9))
        .isInstanceOf(UnreadActors.OvertakenException.class);
  }

  /** One that has read all actors but the last. */
  private static UnreadActors half(Partitioner partitioner) {
    UnreadActors unread = new UnreadActors("w");
    read(unread, partitioner, partitioner.living() - 1);
    return unread;
  }

  private static SortedSet<Integer> read(UnreadActors unread, Partitioner now, long most) {
    SortedSet<Integer> some = new TreeSet<>(now.actorsOf(unread.next(most)));
    unread.took();
    assertThat(now.actorsOf(Keys.ALL)).containsAll(some);
    return some;
  }
}
