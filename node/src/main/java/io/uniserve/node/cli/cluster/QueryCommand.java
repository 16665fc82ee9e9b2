package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Style;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that queries a table. */
@Command(
    name = "query",
    description = "Queries a table in the language of its engine.",
    footer = {
      "",
      "Example: uniserve query movies 'title:\"star wars\" AND year:[1977 TO 1983]' --rows 5"
    })
public final class QueryCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "TEXT", description = "The query.")
  private String text;

  @Option(names = "--rows", paramLabel = "N", description = "How many hits are shown.")
  private Integer rows;

  @Option(
      names = {"-o", "--option"},
      paramLabel = "NAME=VALUE",
      description = "A further option of the engine; can be given more than once.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--partial",
      description = "Shows a partial answer if some actors cannot answer, and names those.")
  private boolean partial;

  @Option(
      names = "--read",
      paramLabel = "LEVEL",
      description = {
        "What a read of an ordered table sees: basic (each actor as it is), snapshot (all as of one",
        "place in the order) or sequential (as of a place of its own). Default: basic."
      })
  private String read;

  @Option(names = "--json", description = "Shows the whole answer, as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Map<String, Object> wanted = new LinkedHashMap<>(options);
    if (rows != null) {
      wanted.put("rows", (long) rows);
    }
    if (read != null) {
      wanted.put("read", read);
    }
    if (partial) {
      wanted.put("partial", true);
    }
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer =
          remote.post(
              "/api/tables/" + RemoteCluster.part(table) + "/query",
              Map.of("query", text, "options", wanted));
      if (json) {
        System.out.println(Json.pretty(answer));
      } else {
        new AnswerText(Style.ofTerminal()).lines(answer).forEach(System.out::println);
      }
    }
    return 0;
  }
}
