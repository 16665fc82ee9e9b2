package io.uniserve.node.cli;

import io.uniserve.node.remote.RemoteCluster;
import picocli.CommandLine.Option;

/** Which cluster a command talks to. */
final class ClusterOption {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://localhost:8080",
      description = "The cluster (default: ${DEFAULT-VALUE}).")
  private String url;

  RemoteCluster connect() {
    return new RemoteCluster(url);
  }
}
