package io.uniserve.runtime.server.plan.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Operator.Chunk;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import io.uniserve.runtime.wire.plan.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks come back as they were put, from memory and from files. */
class ChunkCollectorTest {
  private static final Spread SPREAD = new Spread.ByHash(7);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {0, 300_000, Long.MAX_VALUE})
  void everyChunkComesBackOnceInOrder(long memory) throws IOException {
    ChunkSpace space = new ChunkSpace(memory);
    ChunkCollector collector = collector(space, List.of());
    SortedMap<Integer, SortedMap<PartitionKey, List<Integer>>> expected = new TreeMap<>();
    Random random = new Random(memory);
    for (int i = 0; i < 5_000; i++) {
      PartitionKey attribute = PartitionKey.of("k" + random.nextInt(random.nextInt(1, 400)));
      int size = random.nextInt(20) == 0 ? random.nextInt(5_000) : random.nextInt(4, 20);
      ByteBuffer bytes = ByteBuffer.allocate(Math.max(size, 4)).putInt(0, i);
      collector.put(new Chunk(attribute, bytes));
      expected
          .computeIfAbsent(SPREAD.partOf(attribute), part -> new TreeMap<>())
          .computeIfAbsent(attribute, key -> new ArrayList<>())
          .add(i);
    }
    ChunkPages pages = collector.finish();
    assertThat(pages.onDisk()).isEqualTo(memory < Long.MAX_VALUE);
    assertThat(pages.chunks()).isEqualTo(5_000);
    assertThat(pages.parts())
        .extracting(PartSize::part)
        .containsExactlyElementsOf(expected.keySet());
    expected.forEach((part, chunks) -> assertThat(read(pages, part)).isEqualTo(sorted(chunks)));
    pages.close();
    assertThat(space.taken()).isZero();
    assertThat(files()).isEmpty();
  }

  private static SortedMap<PartitionKey, List<Integer>> sorted(
      SortedMap<PartitionKey, List<Integer>> chunks) {
    chunks.values().forEach(numbers -> numbers.sort(null));
    return chunks;
  }

  /** Returns chunks in the order of attributes. Those of one attribute may come in any order. */
  private static SortedMap<PartitionKey, List<Integer>> read(ChunkPages pages, int part) {
    SortedMap<PartitionKey, List<Integer>> found = new TreeMap<>();
    FetchedChunks page = new FetchedChunks(List.of(), 0, false);
    while (!page.last()) {
      page = pages.page(part, page.next(), 1_000);
      assertThat(page.chunks()).isNotEmpty();
      for (FetchedChunk chunk : page.chunks()) {
        assertThat(found.isEmpty() || found.lastKey().compareTo(chunk.attribute()) <= 0).isTrue();
        found
            .computeIfAbsent(chunk.attribute(), key -> new ArrayList<>())
            .add(chunk.bytes().getInt(0));
      }
    }
    return sorted(found);
  }

  @Test
  void whatIsAbandonedLeavesNothing() throws IOException {
    ChunkSpace space = new ChunkSpace(0);
    ChunkCollector collector = collector(space, List.of());
    for (int i = 0; i < 1000; i++) {
      collector.put(new Chunk(PartitionKey.of(i), ByteBuffer.allocate(100)));
    }
    assertThat(files()).isNotEmpty();
    collector.abandon();
    assertThat(space.taken()).isZero();
    assertThat(files()).isEmpty();
  }

  /** The task that made them runs again then; no query is answered from what is damaged. */
  @Test
  void damageOfAFileIsNoticed() throws IOException {
    ChunkCollector collector = collector(new ChunkSpace(0), List.of());
    for (int i = 0; i < 300; i++) {
      collector.put(new Chunk(PartitionKey.of(i), ByteBuffer.allocate(Integer.BYTES + i)));
    }
    ChunkPages pages = collector.finish();
    Path file = files().getFirst();
    byte[] sound = Files.readAllBytes(file);
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      byte[] damaged = sound.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      Files.write(file, damaged);
      assertThatThrownBy(() -> pages.parts().forEach(part -> read(pages, part.part())))
          .isInstanceOf(InputLostException.class)
          .hasMessageStartingWith("chunks cannot be read: ");
    }
    Files.write(file, sound);
    pages.parts().forEach(part -> read(pages, part.part()));
  }

  @Test
  void chunksOfPartsThatNobodyWantsAreDropped() throws IOException {
    ChunkCollector collector = collector(new ChunkSpace(Long.MAX_VALUE), List.of(2, 4));
    for (int i = 0; i < 100; i++) {
      collector.put(new Chunk(PartitionKey.of(i), ByteBuffer.allocate(1)));
    }
    assertThat(collector.finish().parts()).extracting(PartSize::part).containsExactly(2, 4);
  }

  @Test
  void aChunkThatIsTooLongIsRefused() throws IOException {
    ChunkCollector collector = collector(new ChunkSpace(Long.MAX_VALUE), List.of());
    assertThatThrownBy(
            () -> collector.put(new Chunk(PartitionKey.of(1), ByteBuffer.allocate(20_001))))
        .hasMessageContaining("a chunk of 20001 bytes");
  }

  private ChunkCollector collector(ChunkSpace space, List<Integer> parts) throws IOException {
    PlanSettings settings =
        new PlanSettings(0, 0, 20_000, 1_000, 1_000, 20_000, Duration.ofSeconds(1), 1);
    return new ChunkCollector(
        SPREAD, parts, space, new ChunkFiles(new FileStorage(directory)), settings);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
