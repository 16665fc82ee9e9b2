package io.uniserve.bench.loading;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The frame of a process that loads documents. It reads the corpus into memory and prints {@code
 * READY} and the number of documents. When it is sent a byte, it loads them from several threads.
 * It prints {@code DONE} once they are on disk and can be found.
 *
 * @param variant the variant of the process
 * @param directory the directory for the indexes
 * @param threads the number of threads that load
 * @param corpus the documents to load
 */
public record LoadProgram(String variant, Path directory, int threads, Corpus corpus) {

  static final String READY = "READY ";
  static final String DONE = "DONE";

  private static final int BATCH_DOCUMENTS = 1_000;
  private static final int OPTIONS = 4;

  /** The completion of loading. */
  @FunctionalInterface
  public interface Finish {
    /** Brings all documents to disk and makes them visible. */
    void run() throws IOException;
  }

  /**
   * Parses the arguments of the process.
   *
   * @param arguments variant, directory, threads, the most documents to read, and the files of the
   *     corpus
   */
  public static LoadProgram of(String[] arguments) {
    List<Path> files = Arrays.stream(arguments, OPTIONS, arguments.length).map(Path::of).toList();
    return new LoadProgram(
        arguments[0],
        Path.of(arguments[1]),
        Integer.parseInt(arguments[2]),
        new Corpus(files, Long.parseLong(arguments[3])));
  }

  /** Returns the arguments from which {@link #of} makes an equal program. */
  List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                variant,
                directory.toString(),
                Integer.toString(threads),
                Long.toString(corpus.documentsMax())));
    corpus.files().forEach(file -> arguments.add(file.toString()));
    return arguments;
  }

  /**
   * Runs the process from start to end.
   *
   * @param load indexes documents; called by several threads
   */
  public void run(Consumer<List<BenchDocument>> load, Finish finish) throws IOException {
    List<List<BenchDocument>> batches = new ArrayList<>();
    long documents = corpus.forEachBatch(BATCH_DOCUMENTS, batches::add);
    System.out.println(READY + documents);
    if (System.in.read() < 0) {
      return;
    }
    inParallel(batches, load);
    finish.run();
    System.out.println(DONE);
  }

  private void inParallel(List<List<BenchDocument>> batches, Consumer<List<BenchDocument>> load) {
    AtomicInteger next = new AtomicInteger();
    Runnable worker =
        () -> {
          for (int i = next.getAndIncrement(); i < batches.size(); i = next.getAndIncrement()) {
            load.accept(batches.get(i));
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
      throw new BenchException("Loading failed: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while documents were loaded", e);
    }
  }
}
