package io.uniserve.bench.bare;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.QueryProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.search.Query;

/**
 * The program of the process that searches bare indexes. Queries are parsed before they are
 * measured.
 */
public final class BareProcess {

  private BareProcess() {}

  /**
   * @param arguments the directories of the indexes, which no writer changes
   */
  public static void main(String[] arguments) throws IOException {
    List<Path> directories = Arrays.stream(arguments).map(Path::of).toList();
    try (BareIndexes indexes = BareIndexes.open(directories)) {
      String index =
          "%,d documents, %d indexes of %d segments"
              .formatted(indexes.documents(), directories.size(), indexes.segments());
      new QueryProgram((query, rows) -> prepare(indexes, query, rows)).obey(index);
    }
  }

  private static Supplier<Answer> prepare(BareIndexes indexes, String syntax, int rows) {
    Query query = BareQueries.parse(syntax);
    return () -> {
      try {
        return indexes.answer(query, rows);
      } catch (IOException e) {
        throw new BenchException("Lucene failed on " + query + ": " + e.getMessage(), e);
      }
    };
  }
}
