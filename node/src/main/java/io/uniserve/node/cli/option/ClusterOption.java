package io.uniserve.node.cli.option;

import io.uniserve.node.remote.RemoteAddress;
import io.uniserve.node.remote.RemoteCluster;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that names the cluster of a command. */
public final class ClusterOption {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://localhost:8080",
      description = "The cluster (default: ${DEFAULT-VALUE}).")
  private String url;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "The authorities of the cluster's certificate (PEM), if the JDK does not know them.")
  private Path authorities;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      defaultValue = "${env:UNISERVE_TOKEN_FILE}",
      description = "Holds the token to show (default: $UNISERVE_TOKEN_FILE).")
  private Path token;

  public RemoteCluster connect() {
    return new RemoteCluster(
        new RemoteAddress(url, Optional.ofNullable(authorities), Optional.ofNullable(token)));
  }
}
