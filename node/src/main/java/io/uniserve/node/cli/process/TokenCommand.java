package io.uniserve.node.cli.process;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.Token;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.text.Columns;
import io.uniserve.runtime.client.ScanOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that creates, lists and revokes tokens. */
@Command(
    name = "token",
    description = {
      "Makes, lists or revokes the tokens that a cluster asks for.",
      "They are in a file, which --tokens of start and gateway.tokens of node name; a running process"
          + " notices a change at once."
    })
public final class TokenCommand {
  @Mixin private HelpOption help;

  /** The option that names the file. */
  static final class FileOption {
    @Option(
        names = "--file",
        paramLabel = "FILE",
        required = true,
        description = "The file of tokens.")
    private Path path;

    TokenFile file() {
      return new TokenFile(path);
    }
  }

  @Command(
      name = "create",
      description = "Makes a token and shows it; it is kept nowhere, only its hash is.")
  void create(
      @Mixin HelpOption helpOption,
      @Mixin FileOption file,
      @Parameters(paramLabel = "NAME", description = "What to call it.") String name,
      @Option(names = "--admin", description = "It may do everything.") boolean admin,
      @Option(
              names = "--read",
              paramLabel = "TABLE",
              description = "It may query this table, or '*' for all; can be given more than once.")
          List<String> reads,
      @Option(
              names = "--write",
              paramLabel = "TABLE",
              description = "It may change this table's records, or '*' for all tables'.")
          List<String> writes,
      @Option(
              names = "--priority",
              paramLabel = "P",
              description =
                  "The most urgent priority of its scans: gold, normal, batch or a number"
                      + " (default: normal).")
          String priority) {
    Rights rights =
        new Rights(
            admin,
            new TreeSet<>(reads == null ? List.of() : reads),
            new TreeSet<>(writes == null ? List.of() : writes),
            priority == null ? ScanOptions.NORMAL : ScanOptions.priority(priority));
    if (rights.words().isEmpty()) {
      throw UniserveException.invalid("give --admin, --read TABLE or --write TABLE");
    }
    System.out.println(file.file().create(name, rights));
  }

  @Command(name = "list", description = "Lists tokens and what they may do.")
  void list(@Mixin HelpOption helpOption, @Mixin FileOption file) {
    Columns columns = new Columns().row("TOKEN", "CREATED", "RIGHTS");
    for (Token token : file.file().read()) {
      columns.row(token.name(), token.created(), String.join(" ", token.rights().words()));
    }
    columns.lines().forEach(System.out::println);
  }

  @Command(name = "revoke", description = "Takes a token back.")
  void revoke(
      @Mixin HelpOption helpOption,
      @Mixin FileOption file,
      @Parameters(paramLabel = "NAME", description = "Its name.") String name) {
    file.file().revoke(name);
    System.out.println("Token " + name + " revoked");
  }
}
