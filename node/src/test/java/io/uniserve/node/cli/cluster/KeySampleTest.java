package io.uniserve.node.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySampleTest {
  @TempDir private Path directory;

  @Test
  void aSmallFileIsSampledWholly() throws IOException {
    Path file = file("films.csv", List.of("id,title", "b,Metropolis", "a,Nosferatu"));
    assertThat(KeySample.of(file, "id")).containsExactly("b", "a");
  }

  @Test
  void aLargeFileIsSampledFromAllItsParts() throws IOException {
    int records = 10 * KeySample.KEYS_MAX;
    Path file =
        file(
            "orders.jsonl",
            IntStream.range(0, records).mapToObj(n -> "{\"order\": " + n + "}").toList());
    List<Integer> sample =
        KeySample.of(file, "order").stream().map(Integer::valueOf).sorted().toList();
    assertThat(sample).hasSize(KeySample.KEYS_MAX).doesNotHaveDuplicates();
    assertThat(sample.get(KeySample.KEYS_MAX / 2)).isBetween(records * 4 / 10, records * 6 / 10);
  }

  @Test
  void theFieldIsThatByWhichTheSchemaPartitions() {
    assertThat(KeySample.fieldOf(Map.of())).isEqualTo("id");
    assertThat(KeySample.fieldOf(Map.of("partitionBy", List.of("order")))).isEqualTo("order");
  }

  @Test
  void recordsWithoutTheFieldAndEmptyFilesAreRefused() throws IOException {
    Path file = file("films.jsonl", List.of("{\"id\": 1}", "{\"title\": \"Metropolis\"}"));
    assertThatThrownBy(() -> KeySample.of(file, "id"))
        .isInstanceOf(UniserveException.class)
        .hasMessage("films.jsonl, line 2 has no field 'id', by which the table is cut");
    Path empty = file("empty.jsonl", List.of());
    assertThatThrownBy(() -> KeySample.of(empty, "id"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("no records");
    assertThatThrownBy(() -> KeySample.of(directory.resolve("absent.csv"), "id"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("there is no file");
  }

  private Path file(String name, List<String> lines) throws IOException {
    return Files.write(directory.resolve(name), lines);
  }
}
