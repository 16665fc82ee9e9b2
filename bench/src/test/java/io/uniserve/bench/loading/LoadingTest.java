package io.uniserve.bench.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.bench.RealData;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.systems.EmbeddedTable;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadingTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void ratesAreComparedWithinARound() {
    LoadSeries bare = new LoadSeries("bare", List.of(pass(0, 100), pass(1, 200)), 0);
    LoadSeries other = new LoadSeries("other", List.of(pass(1, 150), pass(2, 900)), 1);

    assertThat(other.ratio(bare, LoadPass::documentsPerSecond))
        .contains(new Spread(0.75, 0.75, 0.75, 1));
    assertThat(bare.ratio(bare, LoadPass::documentsPerSecond)).contains(new Spread(1, 1, 1, 2));
    assertThat(LoadReport.of(List.of(bare, other))).contains("0.750 (0.750-0.750)", "2 (1 noisy)");
  }

  @Test
  void aProgramIsMadeAgainOfItsArguments() {
    Corpus corpus = new Corpus(List.of(Path.of("/a.xz"), Path.of("/b.xz")), 7);
    LoadProgram program = new LoadProgram("ADD", Path.of("/d"), 3, corpus);

    assertThat(LoadProgram.of(program.arguments().toArray(String[]::new))).isEqualTo(program);
  }

  @Test
  void whatIsLoadedIntoTheEmbeddedTableIsFound(@TempDir Path directory) {
    List<BenchDocument> documents = new ArrayList<>();
    Corpus.wikipedia(RealData.with("text/enwiki2015_AA.txt.xz"), 300).forEach(documents::add);
    try (EmbeddedTable table = EmbeddedTable.create(directory, 1)) {
      table.load(documents);
      table.makeVisible();

      long holding = documents.stream().filter(d -> d.title().equals("Anarchism")).count();
      assertThat(found(table).total()).isEqualTo(holding).isPositive();
      assertThat(found(table).hits()).hasSize(10);
    }
  }

  private static LoadPass pass(int round, long documents) {
    return new LoadPass(round, documents, new CpuUse(SECOND, SECOND, 0), 1 << 20);
  }

  private static SearchResult found(EmbeddedTable table) {
    return table.query("title:anarchism", 10, SearchRequest.Statistics.GLOBAL);
  }
}
