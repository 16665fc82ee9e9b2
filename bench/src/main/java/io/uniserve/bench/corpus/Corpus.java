package io.uniserve.bench.corpus;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The documents in the order of the text files. They are read anew at every pass and never held in
 * memory as a whole.
 *
 * @param files the text files in order
 * @param documentsMax the largest number of documents; the corpus ends after them
 */
public record Corpus(List<Path> files, long documentsMax) {

  private static final List<String> FILES =
      List.of("text/enwiki2015_AA.txt.xz", "text/enwiki2015_AB.txt.xz");

  public static Corpus wikipedia(DataDirectory data, long documentsMax) {
    return new Corpus(FILES.stream().map(data::file).toList(), documentsMax);
  }

  /** Passes every document to the consumer and returns the number of documents. */
  public long forEach(Consumer<BenchDocument> consumer) {
    DocumentCutter cutter = new DocumentCutter(DocumentCutter.PIECE_BYTES_MAX);
    long ordinal = 0;
    for (Path file : files) {
      ordinal = forEachOf(file, ordinal, cutter, consumer);
    }
    return ordinal;
  }

  /**
   * Passes every document to the consumer in lists of at most {@code size} and returns the number
   * of documents.
   */
  public long forEachBatch(int size, Consumer<List<BenchDocument>> consumer) {
    List<BenchDocument> batch = new ArrayList<>(size);
    long documents =
        forEach(
            document -> {
              batch.add(document);
              if (batch.size() == size) {
                consumer.accept(List.copyOf(batch));
                batch.clear();
              }
            });
    if (!batch.isEmpty()) {
      consumer.accept(List.copyOf(batch));
    }
    return documents;
  }

  private long forEachOf(
      Path file, long firstOrdinal, DocumentCutter cutter, Consumer<BenchDocument> consumer) {
    long ordinal = firstOrdinal;
    try (ArticleReader articles = ArticleReader.open(file)) {
      for (Optional<Article> next = articles.next(); next.isPresent(); next = articles.next()) {
        Article article = next.get();
        int number = 0;
        for (String piece : cutter.cut(article.body())) {
          if (ordinal >= documentsMax) {
            return ordinal;
          }
          String id = article.id() + "-" + number++;
          int second = BenchDocument.timeSecondOf(ordinal++);
          consumer.accept(new BenchDocument(id, article.title(), piece, second));
        }
      }
    } catch (IOException e) {
      throw new BenchException("Cannot close " + file + ": " + e.getMessage(), e);
    }
    return ordinal;
  }
}
