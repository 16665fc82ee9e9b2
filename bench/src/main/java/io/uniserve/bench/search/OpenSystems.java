package io.uniserve.bench.search;

import io.uniserve.bench.bare.ActorIndexes;
import io.uniserve.bench.bare.BareIndexBuild;
import io.uniserve.bench.bare.BareProcess;
import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.systems.EmbeddedProcess;
import io.uniserve.bench.systems.ProcessSearch;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.systems.SolrCloud;
import io.uniserve.bench.systems.SolrCloudPackage;
import io.uniserve.bench.systems.Statistics;
import io.uniserve.bench.systems.SystemNames;
import io.uniserve.bench.systems.Uniserve;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Systems that are started one after another, each loaded with the corpus, and ended together. */
final class OpenSystems implements AutoCloseable {

  private static final int INDEXES = 4;

  private final Corpus corpus;
  private final Statistics statistics;
  private final Path directory;
  private final PrintStream progress;
  private final List<SearchSystem> systems = new ArrayList<>();
  private Optional<Uniserve> uniserve = Optional.empty();

  OpenSystems(Corpus corpus, Statistics statistics, Path directory, PrintStream progress) {
    this.corpus = corpus;
    this.statistics = statistics;
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Opens systems in the order of {@link Participant}, so that the bare engine finds its indexes.
   */
  void open(List<Participant> participants) {
    for (Participant participant : participants.stream().distinct().sorted().toList()) {
      progress.println("starting and loading " + participant);
      systems.add(open(participant));
    }
  }

  List<SearchSystem> all() {
    return List.copyOf(systems);
  }

  private SearchSystem open(Participant participant) {
    return switch (participant) {
      case UNISERVE -> uniserve();
      case SOLR -> SolrCloud.open(solr(), corpus, statistics.ofSolrCloud(), directory);
      case EMBEDDED -> embedded();
      case BARE -> bare();
    };
  }

  private SearchSystem uniserve() {
    Uniserve opened = Uniserve.open(ProjectRoot.find(), corpus, statistics.ofUniserve(), directory);
    uniserve = Optional.of(opened);
    return opened;
  }

  private static SolrCloudPackage solr() {
    Optional<Path> java =
        Optional.ofNullable(System.getenv(SolrCloudPackage.JAVA_VARIABLE)).map(Path::of);
    return SolrCloudPackage.prepare(ProjectRoot.find(), java);
  }

  private SearchSystem embedded() {
    List<String> arguments = new ArrayList<>();
    arguments.add(directory.resolve("embedded").toString());
    arguments.add(Long.toString(corpus.documentsMax()));
    arguments.add(statistics.name());
    corpus.files().forEach(file -> arguments.add(file.toString()));
    return ProcessSearch.open(
        SystemNames.EMBEDDED, EmbeddedProcess.class, arguments, directory.resolve("embedded.log"));
  }

  private SearchSystem bare() {
    Path target = directory.resolve("bare");
    List<Path> indexes =
        uniserve
            .map(opened -> new ActorIndexes(opened.data()).take(opened.documents(), target))
            .orElseGet(() -> BareIndexBuild.build(corpus, target, INDEXES));
    return ProcessSearch.open(
        SystemNames.BARE,
        BareProcess.class,
        indexes.stream().map(Path::toString).toList(),
        directory.resolve("bare.log"));
  }

  @Override
  public void close() {
    systems.forEach(SearchSystem::close);
  }
}
