package io.uniserve.bench.bare;

import io.uniserve.bench.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The program of the process that loads bare indexes. Reads the corpus into memory, prints {@code
 * READY} and the number of documents, indexes and commits them when it is sent a byte, and prints
 * {@code DONE}.
 */
public final class BareLoadProcess {

  private BareLoadProcess() {}

  /**
   * @param arguments {@code ADD} or {@code REPLACE}, the number of threads, the number of indexes,
   *     the directory to hold them, the most documents to read, and the files of the corpus
   */
  public static void main(String[] arguments) throws IOException {
    BareIndexer.Mode mode = BareIndexer.Mode.valueOf(arguments[0]);
    int threads = Integer.parseInt(arguments[1]);
    List<Path> directories =
        BareIndexBuild.directories(Path.of(arguments[3]), Integer.parseInt(arguments[2]));
    List<BenchDocument> documents = documents(arguments);
    System.out.println("READY " + documents.size());
    if (System.in.read() < 0) {
      return;
    }
    try (BareIndexer indexer = new BareIndexer(directories, mode)) {
      load(indexer, documents, threads);
      indexer.commit();
      System.out.println("DONE");
    }
  }

  private static List<BenchDocument> documents(String[] arguments) {
    List<Path> files = new ArrayList<>();
    for (int i = 5; i < arguments.length; i++) {
      files.add(Path.of(arguments[i]));
    }
    List<BenchDocument> documents = new ArrayList<>();
    new Corpus(files, Long.parseLong(arguments[4])).forEach(documents::add);
    return documents;
  }

  private static void load(BareIndexer indexer, List<BenchDocument> documents, int threads) {
    AtomicInteger next = new AtomicInteger();
    Runnable worker =
        () -> {
          for (int i = next.getAndIncrement(); i < documents.size(); i = next.getAndIncrement()) {
            indexer.write(documents.get(i));
          }
        };
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(workers.submit(worker));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new BenchException("Indexing failed: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while documents were indexed", e);
    }
  }
}
