package io.uniserve.bench.systems;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.tasks.Workload;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * SolrCloud 9.10.1: four nodes of one shard each in one process on Java 17 with 2 GiB of heap,
 * caches off.
 */
public final class SolrCloud implements SearchSystem {

  private static final String COLLECTION = "wiki";
  private static final int SHARDS = 4;
  private static final String MAIN = "io.uniserve.bench.peers.solrcloud.SolrCloudPeer";

  private final ChildProcess process;
  private final HttpSearch search;
  private final long documents;

  private SolrCloud(ChildProcess process, HttpSearch search, long documents) {
    this.process = process;
    this.search = search;
    this.documents = documents;
  }

  /**
   * Starts the system and loads the corpus.
   *
   * @param directory the directory for its data and its log
   */
  public static SolrCloud open(
      SolrCloudPackage solr, Corpus corpus, HttpSearch.Dialect dialect, Path directory) {
    ChildProcess process =
        ChildProcess.start("SolrCloud", command(solr, directory), directory.resolve("solr.log"));
    try {
      List<InetSocketAddress> nodes =
          Arrays.stream(process.awaitLine("READY").split(",")).map(SolrCloud::address).toList();
      long documents = new HttpLoad(nodes.getFirst(), COLLECTION).load(corpus);
      return new SolrCloud(process, new HttpSearch(nodes, COLLECTION, dialect), documents);
    } catch (BenchException e) {
      process.close();
      throw e;
    }
  }

  private static List<String> command(SolrCloudPackage solr, Path directory) {
    return List.of(
        solr.java().toString(),
        "-Xmx2g",
        "-cp",
        solr.classPath(),
        MAIN,
        Integer.toString(SHARDS),
        COLLECTION,
        solr.configuration().toString(),
        directory.resolve("solr").toString());
  }

  private static InetSocketAddress address(String url) {
    URI uri = URI.create(url);
    return new InetSocketAddress(uri.getHost(), uri.getPort());
  }

  @Override
  public String name() {
    return SystemNames.SOLR_CLOUD;
  }

  @Override
  public long processId() {
    return process.processId();
  }

  @Override
  public String index() {
    return "%,d documents, %d shards".formatted(documents, SHARDS);
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
    process.close();
  }
}
