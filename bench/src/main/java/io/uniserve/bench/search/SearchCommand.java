package io.uniserve.bench.search;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.option.CorpusOptions;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.systems.Statistics;
import io.uniserve.bench.systems.SystemNames;
import io.uniserve.bench.tasks.TaskFile;
import io.uniserve.bench.tasks.Workload;
import io.uniserve.bench.tasks.Workload.Scores;
import io.uniserve.bench.tasks.Workloads;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench search}. */
@Command(
    name = "search",
    mixinStandardHelpOptions = true,
    description = "Full-text search over HTTP, beside SolrCloud and bare Lucene.")
public final class SearchCommand implements Callable<Integer> {

  private static final String TASKS = "queries/luceneutil_wikimedium.1M.tasks.gz";

  /** Half of the time for which each system answers cheap requests before it is measured. */
  private static final Duration WARM_UP_FIRST = Duration.ofSeconds(20);

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private CorpusOptions corpusOptions;

  @Mixin private MeasureOptions measureOptions;

  @Option(
      names = "--systems",
      split = ",",
      description = "Which systems: ${COMPLETION-CANDIDATES}. Default: all.")
  private List<Participant> participants = List.of(Participant.values());

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      description = "Only these workloads, such as phrase-count or HighPhrase. Default: all.")
  private List<String> names = List.of();

  @Option(names = "--clients", split = ",", description = "Numbers of clients. Default: 1,4.")
  private List<Integer> clients = List.of(1, 4);

  @Option(names = "--queries", description = "Queries of each kind. Default: ${DEFAULT-VALUE}.")
  private int queriesPerKind = 50;

  @Option(
      names = "--statistics",
      description = {
        "Over what the frequencies of words are counted while systems are measured:",
        "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, Uniserve over the whole table, counted",
        "anew for each query, SolrCloud over one shard. KEPT: Uniserve may keep its counts."
      })
  private Statistics statistics = Statistics.DEFAULT;

  @Option(
      names = "--lives",
      description = {
        "So many times all processes are started, loaded and measured: compilers do not",
        "always come to the same code. Default: ${DEFAULT-VALUE}."
      })
  private int lives = 1;

  @Override
  public Integer call() {
    if (lives < 1) {
      throw new BenchException("--lives must be at least 1, and is " + lives);
    }
    PrintStream progress = System.err;
    Path directory = run.newDirectory("search");
    Workloads workloads =
        Workloads.of(TaskFile.read(corpusOptions.data().file(TASKS)), queriesPerKind());
    List<Workload> chosen = choose(workloads.all());
    SearchResults results = life(1, directory, chosen, workloads.leftOut(), progress);
    for (int life = 2; life <= lives; life++) {
      SearchResults later = life(life, directory, chosen, workloads.leftOut(), progress);
      results = results.and(later, (life - 1) * plan().roundsMax());
    }
    System.out.println(SearchReport.whole(results));
    SearchOutput.write(results, directory);
    if (run.docs()) {
      SearchOutput.document(results, run.pages());
    }
    progress.println("results are in " + directory);
    return wrongAnswers(results) ? 1 : 0;
  }

  private SearchResults life(
      int life,
      Path directory,
      List<Workload> chosen,
      Map<String, String> leftOut,
      PrintStream progress) {
    Path files = directory.resolve("life" + life);
    try (OpenSystems systems =
        new OpenSystems(corpusOptions.corpus(run.quick()), statistics, files, progress)) {
      systems.open(participants);
      return run(systems.all(), chosen, leftOut, progress);
    }
  }

  private SearchResults run(
      List<SearchSystem> systems,
      List<Workload> workloads,
      Map<String, String> leftOut,
      PrintStream progress) {
    SearchBenchmark benchmark = new SearchBenchmark(systems, plan(), progress);
    List<AnswerComparison> comparisons = benchmark.compare(workloads);
    List<SearchRow> rows =
        benchmark.measure(workloads, clients, run.quick() ? plan().warmUpMax() : WARM_UP_FIRST);
    Map<String, String> sizes = new LinkedHashMap<>();
    systems.forEach(system -> sizes.put(system.name(), system.index()));
    return new SearchResults(
        Conditions.of(plan(), lives, run.quick(), statistics, sizes),
        leftOut,
        comparisons,
        rows,
        benchmark.footprints());
  }

  /**
   * Returns whether a system gave wrong answers. SolrCloud expands fuzzy words shard by shard, so a
   * different answer is no error there, and only there.
   */
  private static boolean wrongAnswers(SearchResults results) {
    return results.comparisons().stream()
        .filter(comparison -> !comparison.equal())
        .anyMatch(
            comparison ->
                !comparison.system().equals(SystemNames.SOLR_CLOUD)
                    || comparison.workload().scores() != Scores.EXPANDED);
  }

  private List<Workload> choose(List<Workload> all) {
    for (String name : names) {
      if (all.stream().noneMatch(workload -> workload.name().equals(name))) {
        throw new BenchException(
            "No workload %s; there are %s"
                .formatted(name, all.stream().map(Workload::name).toList()));
      }
    }
    return all.stream()
        .filter(workload -> names.isEmpty() || names.contains(workload.name()))
        .toList();
  }

  private int queriesPerKind() {
    return run.quick() ? Math.min(5, queriesPerKind) : queriesPerKind;
  }

  private MeasurePlan plan() {
    return measureOptions.plan(run.quick());
  }
}
