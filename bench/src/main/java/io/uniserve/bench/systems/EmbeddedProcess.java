package io.uniserve.bench.systems;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The program of the process that queries an embedded cluster of four servers within itself. */
public final class EmbeddedProcess {

  private static final int SERVERS = 4;
  private static final int BATCH_DOCUMENTS = 1_000;
  private static final int OPTIONS = 3;

  private EmbeddedProcess() {}

  /**
   * @param arguments the directory for its data, the most documents to load, the statistics to
   *     request, and the files of the corpus
   */
  public static void main(String[] arguments) throws IOException {
    List<Path> files = Arrays.stream(arguments).skip(OPTIONS).map(Path::of).toList();
    Corpus corpus = new Corpus(files, Long.parseLong(arguments[1]));
    try (EmbeddedTable table = EmbeddedTable.create(Path.of(arguments[0]), SERVERS)) {
      long documents = corpus.forEachBatch(BATCH_DOCUMENTS, table::load);
      table.makeVisible();
      String index = "%,d documents, %d actors".formatted(documents, WikiTable.ACTORS);
      SearchRequest.Statistics statistics = Statistics.valueOf(arguments[2]).ofEmbedded();
      new QueryProgram((query, rows) -> () -> answer(table.query(query, rows, statistics)))
          .obey(index);
    }
  }

  private static Answer answer(SearchResult result) {
    return new Answer(
        result.total(), result.hits().stream().map(hit -> new Hit(hit.id(), hit.score())).toList());
  }
}
