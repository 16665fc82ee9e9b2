package io.uniserve.bench.systems;

import io.uniserve.api.Durability;
import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.tasks.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Uniserve as users run it: an embedded cluster of four servers in one process with 2 GiB of heap,
 * and a table of four actors with one copy each, queried through the Solr gateway. The only data
 * kept from query to query are word counts; {@link Statistics} says whether they are.
 */
public final class Uniserve implements SearchSystem {

  private final UniserveProgram program;
  private final HttpSearch search;
  private final long documents;

  private Uniserve(UniserveProgram program, HttpSearch search, long documents) {
    this.program = program;
    this.search = search;
    this.documents = documents;
  }

  /**
   * Starts the system and loads the corpus.
   *
   * @param directory the directory for its data and its log
   */
  public static Uniserve open(
      Path projectRoot, Corpus corpus, HttpSearch.Dialect dialect, Path directory) {
    UniserveProgram program = UniserveProgram.start(projectRoot, directory, "2g");
    try {
      WikiTable.create(program, Durability.ASYNCHRONOUS, WikiTable.WRITE_BUFFER_MEGABYTES);
      long documents = new HttpLoad(program.address(), WikiTable.NAME).load(corpus);
      HttpSearch search = new HttpSearch(List.of(program.address()), WikiTable.NAME, dialect);
      return new Uniserve(program, search, documents);
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
  }

  /** Returns the number of documents in the table. */
  public long documents() {
    return documents;
  }

  /** Returns the directory of its data, in which each actor's index is committed. */
  public Path data() {
    // A backup begins with a commit. Without it, a commit would wait until enough was written.
    program.run("backup", WikiTable.NAME);
    return program.data();
  }

  @Override
  public String name() {
    return SystemNames.UNISERVE;
  }

  @Override
  public long processId() {
    return program.processId();
  }

  @Override
  public String index() {
    return "%,d documents, %d actors".formatted(documents, WikiTable.ACTORS);
  }

  @Override
  public Answer answer(Workload.Answers kind, String query) {
    return search.answer(kind, query);
  }

  @Override
  public Latencies run(Workload workload, int clients, Duration time) {
    return search.run(workload, clients, time);
  }

  @Override
  public void close() {
    search.close();
    program.close();
  }
}
