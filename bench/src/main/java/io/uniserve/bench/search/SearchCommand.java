package io.uniserve.bench.search;

import io.uniserve.bench.BenchException;
import io.uniserve.bench.CorpusOptions;
import io.uniserve.bench.MeasureOptions;
import io.uniserve.bench.ProjectRoot;
import io.uniserve.bench.bare.BareIndexBuild;
import io.uniserve.bench.bare.BareLucene;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.systems.SolrCloud;
import io.uniserve.bench.systems.SolrCloudPackage;
import io.uniserve.bench.systems.Statistics;
import io.uniserve.bench.systems.SystemNames;
import io.uniserve.bench.systems.Uniserve;
import io.uniserve.bench.tasks.TaskFile;
import io.uniserve.bench.tasks.Workload;
import io.uniserve.bench.tasks.Workload.Scores;
import io.uniserve.bench.tasks.Workloads;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench search}. */
@Command(
    name = "search",
    mixinStandardHelpOptions = true,
    description = "Full-text search over HTTP, beside SolrCloud and bare Lucene.")
public final class SearchCommand implements Callable<Integer> {

  private static final String TASKS = "queries/luceneutil_wikimedium.1M.tasks.gz";
  private static final int INDEXES = 4;

  /** The systems that can be compared. */
  enum Participant {
    UNISERVE,
    SOLR,
    BARE
  }

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
        "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, as each system does by default,",
        "Uniserve over the whole table, SolrCloud over one shard."
      })
  private Statistics statistics = Statistics.DEFAULT;

  @Option(names = "--docs", description = "Write the results into docs/benchmarks.md too.")
  private boolean docs;

  @Override
  public Integer call() {
    PrintStream progress = System.err;
    Path directory = corpusOptions.newWorkDirectory("search");
    Workloads workloads =
        Workloads.of(TaskFile.read(corpusOptions.data().file(TASKS)), queriesPerKind());
    List<Workload> chosen = choose(workloads.all());
    List<SearchSystem> systems = new ArrayList<>();
    try {
      Corpus corpus = corpusOptions.corpus();
      for (Participant participant : participants) {
        progress.println("starting and loading " + participant);
        systems.add(open(participant, corpus, directory));
      }
      SearchResults results = run(systems, chosen, workloads.leftOut(), progress);
      System.out.println(SearchReport.whole(results));
      SearchOutput.write(results, directory);
      if (docs) {
        SearchOutput.document(results, ProjectRoot.find().resolve("docs"));
      }
      progress.println("results are in " + directory);
      return wrongAnswers(results) ? 1 : 0;
    } finally {
      systems.forEach(SearchSystem::close);
    }
  }

  private SearchResults run(
      List<SearchSystem> systems,
      List<Workload> workloads,
      Map<String, String> leftOut,
      PrintStream progress) {
    SearchBenchmark benchmark = new SearchBenchmark(systems, plan(), progress);
    List<AnswerComparison> comparisons = benchmark.compare(workloads);
    List<SearchRow> rows = benchmark.measure(workloads, clients);
    Map<String, String> sizes = new LinkedHashMap<>();
    systems.forEach(system -> sizes.put(system.name(), system.index()));
    return new SearchResults(
        Conditions.of(plan(), corpusOptions.quick(), statistics, sizes),
        leftOut,
        comparisons,
        rows,
        benchmark.memory());
  }

  /**
   * SolrCloud expands fuzzy words shard by shard, so there, and only there, another answer is no
   * error.
   */
  private static boolean wrongAnswers(SearchResults results) {
    return results.comparisons().stream()
        .filter(comparison -> !comparison.equal())
        .anyMatch(
            comparison ->
                comparison.system().equals(SystemNames.UNISERVE)
                    || comparison.workload().scores() != Scores.EXPANDED);
  }

  private SearchSystem open(Participant participant, Corpus corpus, Path directory) {
    return switch (participant) {
      case BARE ->
          BareLucene.open(
              BareIndexBuild.build(corpus, directory.resolve("bare"), INDEXES),
              directory.resolve("bare.log"));
      case SOLR -> SolrCloud.open(solr(), corpus, statistics.ofSolrCloud(), directory);
      case UNISERVE ->
          Uniserve.open(ProjectRoot.find(), corpus, statistics.ofUniserve(), directory);
    };
  }

  private static SolrCloudPackage solr() {
    Optional<Path> java =
        Optional.ofNullable(System.getenv(SolrCloudPackage.JAVA_VARIABLE)).map(Path::of);
    return SolrCloudPackage.prepare(ProjectRoot.find(), java);
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
    return corpusOptions.quick() ? Math.min(5, queriesPerKind) : queriesPerKind;
  }

  private MeasurePlan plan() {
    return measureOptions.plan(corpusOptions.quick());
  }
}
