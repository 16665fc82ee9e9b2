package io.uniserve.bench.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.RealData;
import io.uniserve.bench.base.BenchException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CorpusTest {

  private static final int DOCUMENTS = 3_000;

  @Test
  void cutsTheRealArticlesIntoDocumentsOfOneKilobyte() {
    List<BenchDocument> documents = documents(DOCUMENTS);

    assertThat(documents).hasSize(DOCUMENTS);
    assertThat(documents).extracting(BenchDocument::id).doesNotHaveDuplicates();
    assertThat(documents.getFirst().id()).isEqualTo("12-0");
    assertThat(documents.getFirst().title()).isEqualTo("Anarchism");
    assertThat(documents).allSatisfy(document -> assertThat(bytes(document)).isBetween(1, 1_024));
    assertThat(documents.stream().mapToInt(CorpusTest::bytes).average().orElseThrow())
        .isBetween(950.0, 1_024.0);
    assertThat(documents)
        .allSatisfy(document -> assertThat(document.timeSecond()).isBetween(0, 86_399));
  }

  @Test
  void givesTheSameDocumentsAtEveryPass() {
    assertThat(documents(500)).isEqualTo(documents(500));
  }

  @Test
  void batchesHoldEveryDocumentOnce() {
    List<BenchDocument> batched = new ArrayList<>();
    long count = corpus(250).forEachBatch(100, batched::addAll);

    assertThat(count).isEqualTo(250);
    assertThat(batched).isEqualTo(documents(250));
  }

  @Test
  void anAbsentFileIsNamedWithThePathThatWasTried() {
    DataDirectory data =
        DataDirectory.of(Optional.of(Path.of("/nowhere")), Optional.empty(), Path.of("/p"));

    assertThatThrownBy(() -> Corpus.wikipedia(data, 1))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("/nowhere/text/enwiki2015_AA.txt.xz")
        .hasMessageContaining("UNISERVE_DATA");
  }

  @Test
  void theDataIsBesideTheProjectUnlessSaidOtherwise() {
    Path project = Path.of("/home/me/uniserve");

    assertThat(DataDirectory.of(Optional.empty(), Optional.empty(), project).root())
        .isEqualTo(Path.of("/home/me/shared/data"));
    assertThat(DataDirectory.of(Optional.empty(), Optional.of("/v"), project).root())
        .isEqualTo(Path.of("/v"));
    assertThat(DataDirectory.of(Optional.of(Path.of("/o")), Optional.of("/v"), project).root())
        .isEqualTo(Path.of("/o"));
  }

  private static Corpus corpus(long documentsMax) {
    return Corpus.wikipedia(RealData.with("text/enwiki2015_AA.txt.xz"), documentsMax);
  }

  private static List<BenchDocument> documents(long documentsMax) {
    List<BenchDocument> documents = new ArrayList<>();
    corpus(documentsMax).forEach(documents::add);
    return documents;
  }

  private static int bytes(BenchDocument document) {
    return document.body().getBytes(StandardCharsets.UTF_8).length;
  }
}
