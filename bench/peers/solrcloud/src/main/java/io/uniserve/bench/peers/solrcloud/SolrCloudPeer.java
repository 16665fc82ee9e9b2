package io.uniserve.bench.peers.solrcloud;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.apache.solr.client.solrj.request.CollectionAdminRequest;
import org.apache.solr.cloud.MiniSolrCloudCluster;

/**
 * A SolrCloud of several nodes in this one process, with one collection of one shard per node and one copy of each. Prints
 * {@code READY} and the nodes' addresses, then serves until its standard input ends.
 */
public final class SolrCloudPeer {

  private SolrCloudPeer() {}

  /**
   * @param arguments the number of nodes (and shards), the name of the collection, the directory of its configuration, and the
   *     directory to hold the data
   */
  public static void main(String[] arguments) throws Exception {
    int nodes = Integer.parseInt(arguments[0]);
    String collection = arguments[1];
    Path configuration = Path.of(arguments[2]);
    Path data = Files.createDirectories(Path.of(arguments[3]));

    MiniSolrCloudCluster cluster =
        new MiniSolrCloudCluster.Builder(nodes, data).addConfig("conf", configuration).configure();
    try {
      CollectionAdminRequest.createCollection(collection, "conf", nodes, 1)
          .process(cluster.getSolrClient());
      cluster.waitForActiveCollection(collection, nodes, nodes);
      System.out.println("READY " + addresses(cluster));
      waitForEndOfInput();
    } finally {
      cluster.shutdown();
    }
  }

  private static String addresses(MiniSolrCloudCluster cluster) {
    return cluster.getJettySolrRunners().stream()
        .map(node -> node.getBaseUrl().toString())
        .collect(Collectors.joining(","));
  }

  private static void waitForEndOfInput() throws java.io.IOException {
    while (System.in.read() >= 0) {
      // Input is only a leash: its end, not its content, stops the server.
    }
  }
}
