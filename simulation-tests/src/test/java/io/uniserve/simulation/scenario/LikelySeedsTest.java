package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LikelySeedsTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void begin() throws IOException {
    file = Files.write(directory.resolve("seeds"), List.of("17 a lease, that never ends"));
  }

  @Test
  void whatIsWrittenDownIsReadAgainAndTheRestIsKept() throws IOException {
    LikelySeeds seeds = new LikelySeeds(file);
    assertThat(seeds.of("a force that is none")).isEmpty();
    seeds.put("a force that is none", 4);
    seeds.put("a force that is none", 3);
    LikelySeeds again = new LikelySeeds(file);
    assertThat(again.of("a force that is none")).hasValue(3);
    assertThat(again.of("a lease, that never ends")).hasValue(17);
    assertThat(Files.readAllLines(file)).hasSize(2);
  }

  @Test
  void aLineThatIsNoneIsNamed() throws IOException {
    Files.write(file, List.of("seventeen a lease that never ends"));
    assertThatThrownBy(() -> new LikelySeeds(file))
        .hasMessageContaining(file.toString())
        .hasMessageContaining("seventeen a lease that never ends");
  }
}
