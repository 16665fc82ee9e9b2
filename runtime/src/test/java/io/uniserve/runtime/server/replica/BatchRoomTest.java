package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Answer;
import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingAppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.entry.OrderPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Batches of updates whose log entries a disk has no room for. What the engine applied without an
 * entry would be lost at the next opening, though its copy has shown it.
 */
class BatchRoomTest {
  private static final Partitioner WHOLE = new Partitioner.Range(List.of());
  private static final ActorId ID = new ActorId(1, 0);
  private static final int WORD_LENGTH = 1_000;
  private static final List<String> WORDS =
      Stream.of("a", "b", "c", "d").map(letter -> letter.repeat(WORD_LENGTH)).toList();

  /** Less than any entry takes. */
  private static final int ROOM_STEP_BYTES = WORD_LENGTH / 2;

  @TempDir private Path directory;
  private long roomBytes = Long.MAX_VALUE;

  /** Files that have room for so many bytes, all together. */
  private final class SmallDisk implements ForwardingStorage {
    private final Storage storage;

    SmallDisk(Storage storage) {
      this.storage = storage;
    }

    @Override
    public Storage disk() {
      return storage;
    }

    @Override
    public AppendFile append(Path file) throws IOException {
      AppendFile whole = storage.append(file);
      return new ForwardingAppendFile() {
        @Override
        public AppendFile file() {
          return whole;
        }

        @Override
        public long roomBytes() {
          return roomBytes;
        }

        @Override
        public void append(ByteBuffer bytes) throws IOException {
          if (bytes.remaining() > roomBytes) {
            throw new FileSystemException(file.toString(), null, "No space left on device");
          }
          roomBytes -= bytes.remaining();
          whole.append(bytes);
        }
      };
    }
  }

  private static List<Delivery> deliveries() {
    return IntStream.range(0, WORDS.size())
        .mapToObj(word -> delivery(word + 1, WORDS.get(word)))
        .toList();
  }

  private static Delivery delivery(long number, String word) {
    return WordsEngine.add(
        new OrderPlace(number, number - 1, List.of(0)), "update-" + number, word);
  }

  /** Returns how many updates of four were received with so much room. */
  private int receivedWith(long bytes) throws IOException {
    try (SystemClock clock = new SystemClock();
        ReplicaFixture fixture =
            new ReplicaFixture(
                directory.resolve("room-" + bytes), clock, new WordsEngine(), SmallDisk::new)) {
      roomBytes = Long.MAX_VALUE;
      Replica replica = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.ORDERED));
      replica.create(0);
      replica.lead(1, () -> true);
      roomBytes = bytes;
      Received received = replica.receive(0, WHOLE, deliveries(), List.of());
      int count = received.results().size();
      if (count < WORDS.size()) {
        assertThat(received.failure())
            .hasValueSatisfying(full -> assertThat(full.code()).isEqualTo(ErrorCode.EXHAUSTED));
      }
      assertThat(replica.position().sequence()).isEqualTo(count);
      assertThat(WordsEngine.read(replica, 0)).contains(WORDS.subList(0, count));
      roomBytes = Long.MAX_VALUE;
      assertThat(replica.receive(0, WHOLE, deliveries(), List.of()).results())
          .extracting(Result::number)
          .containsExactly(1L, 2L, 3L, 4L);
      assertThat(WordsEngine.read(replica, 0)).contains(WORDS);
      return count;
    }
  }

  @Test
  void asManyAreAppliedAsTheLogHasRoomForAndTheRestOnceThereIsRoom() throws IOException {
    Set<Integer> counts = new TreeSet<>();
    long bytes = Answer.BYTES_MAX; // no entry is begun without room for the greatest answer
    while (!counts.contains(WORDS.size())) {
      counts.add(receivedWith(bytes));
      bytes += ROOM_STEP_BYTES;
    }
    assertThat(counts).containsExactly(0, 1, 2, 3, 4);
  }
}
