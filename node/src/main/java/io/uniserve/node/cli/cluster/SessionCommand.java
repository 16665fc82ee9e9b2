package io.uniserve.node.cli.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.load.SessionLines;
import io.uniserve.node.remote.RemoteCluster;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that updates and reads an ordered table, one line after another. */
@Command(
    name = "session",
    description = {
      "Updates and reads an ordered table, in the order of the lines of files or of standard"
          + " input.",
      "A line is a record, an array of records that are stored together, or a read:",
      "{\"$query\": TEXT}. Each has one line of the answer."
    },
    footer = {
      "",
      "Example: printf '{\"id\": \"1\"}\\n{\"$query\": \"*:*\"}\\n' | uniserve session films",
      "Exit status: 1 if a line was refused, or failed."
    })
public final class SessionCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(index = "0", paramLabel = "TABLE", description = "An ordered table.")
  private String table;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files of lines (default: standard input).")
  private List<Path> files = List.of();

  @Option(
      names = "--way",
      defaultValue = SessionLines.ORDER,
      description =
          "order (default): each update has a place in the order of the table. short: updates of"
              + " one actor go straight to it; they grow with the number of actors.")
  private String way;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      remote.get("/api/tables/" + RemoteCluster.part(table)); // a missing table is reported first
      SessionLines lines = new SessionLines(remote, table, way, System.out::println);
      if (files.isEmpty()) {
        send(lines, "standard input", () -> System.in);
      }
      files.forEach(file -> send(lines, file.toString(), () -> Files.newInputStream(file)));
      return lines.failed() ? 1 : 0;
    }
  }

  /** A source of lines. */
  @FunctionalInterface
  private interface Source {
    InputStream open() throws IOException;
  }

  private static void send(SessionLines lines, String name, Source source) {
    try (InputStream in = new BufferedInputStream(source.open())) {
      lines.send(name, in);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + name + ": " + UniserveException.reason(e),
          e);
    }
  }
}
