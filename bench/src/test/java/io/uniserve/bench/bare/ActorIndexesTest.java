package io.uniserve.bench.bare;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.bench.RealData;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActorIndexesTest {

  @TempDir private Path directory;

  @Test
  void takesWhatTheWritersHaveCommittedWhileTheyStayOpen() throws IOException {
    List<BenchDocument> documents = new ArrayList<>();
    Corpus.wikipedia(RealData.with("text/enwiki2015_AA.txt.xz"), 200).forEach(documents::add);
    Path cluster = directory.resolve("cluster");
    List<Path> live = List.of(live(cluster, "s1", "6-0"), live(cluster, "s2", "6-1"));
    try (BareIndexer indexer = new BareIndexer(live, BareIndexer.Mode.ADD)) {
      documents.forEach(indexer::write);
      indexer.commit();

      List<Path> taken = new ActorIndexes(cluster).take(200, directory.resolve("taken"));

      try (BareIndexes indexes = BareIndexes.open(taken)) {
        assertThat(taken).hasSize(2);
        assertThat(indexes.documents()).isEqualTo(200);
      }
    }
  }

  private static Path live(Path cluster, String server, String actor) throws IOException {
    return Files.createDirectories(
        cluster.resolve(server).resolve("actors").resolve(actor).resolve("live-0"));
  }
}
