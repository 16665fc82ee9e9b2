package io.uniserve.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.cli.cluster.QueryCommand;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.LocalClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

class ProgramTest {
  private final LocalClient cluster = new LocalClient();
  private final HttpService service = new HttpService(cluster, List.of(), HttpSettings.onPort(0));
  private final String url = "http://127.0.0.1:" + service.port();

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    service.close();
  }

  /** Java puts such a character where the locale has none, so the query would be another one. */
  @Test
  void anArgumentThatCouldNotBeReadIsRefused() {
    Ran ran = run("query", "notes", "caf\uFFFD");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err()).startsWith("uniserve: 'caf\uFFFD' has characters").hasLineCount(1);
  }

  @Test
  void worksOnATableFromItsCreationToItsEnd() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("n.csv"), "id,text\n1,time travel\n2,time flies\n3,none\n");
    assertThat(
            run(
                "table",
                "create",
                "notes",
                "--engine",
                "notes",
                "--actors",
                "1",
                "--replicas",
                "1"))
        .isEqualTo(new Ran(0, "Table notes created: 1 actor of notes, copies of each: 1\n", ""));
    assertThat(run("load", "notes", file.toString()).out()).startsWith("3 records stored in notes");
    assertThat(run("query", "notes", "time", "--rows", "1").out())
        .startsWith("2 matches in ")
        .contains("1  \n    text: time travel\n")
        .doesNotContain("flies");
    assertThat(run("query", "notes", "time", "--json").out()).contains("\"total\" : 2");
    assertThat(run("table", "list").out())
        .contains("notes  notes        1         1  asynchronous  eventual");
    assertThat(run("table", "show", "notes").out()).contains("\"primary\" : \"s1\"");
    assertThat(run("status").out())
        .contains("s1      alive")
        .contains("notes  notes        1         1  1 of 1");
    assertThat(run("table", "drop", "notes").status()).isZero();
    assertThat(run("query", "notes", "time"))
        .isEqualTo(new Ran(1, "", "uniserve: there is no table 'notes'\n"));
  }

  @Test
  void tellsOneLineAboutAFailure() throws IOException {
    cluster.createNotes("notes");
    expectFailure("there is no file /no/such.csv", "load", "notes", "/no/such.csv");
    expectFailure("there is no table 'films'", "load", "films", "/no/such.csv");
    expectFailure("unknown option 'sort'", "query", "notes", "x", "-o", "sort=id");
    expectFailure("a table has 1 to 100000 actors, not 0", "table", "create", "a", "--actors", "0");
    expectFailure(
        "--schema is neither a JSON object nor a file: nowhere.json",
        "table",
        "create",
        "a",
        "--schema",
        "nowhere.json");
    Path bad = Files.writeString(directory.resolve("bad.jsonl"), "{\"id\":\"1\"}\n");
    assertThat(run("load", "notes", bad.toString()).err())
        .endsWith("uniserve: bad.jsonl, line 1: 'text' must be a string\n")
        .startsWith("Stopped; records stored before that: 0");
    Path typo = Files.writeString(directory.resolve("node.conf"), "rolse = controller\n");
    expectFailure(
        typo + ", line 1: unknown key 'rolse'; did you mean 'roles'?",
        "node",
        "--config",
        typo.toString());
  }

  /**
   * A start makes the named command only, which is quick; every documented rule still holds for
   * all.
   */
  @Test
  void makesOnlyTheCommandThatIsNamedFirst() {
    assertThat(Program.commandsFor("query", "notes", "table"))
        .isEqualTo(List.of(QueryCommand.class));
    assertThat(Program.commandsFor()).hasSizeGreaterThan(20);
    assertThat(Program.commandsFor("--log", "debug", "query")).isEqualTo(Program.commandsFor());
    assertThat(Ran.program("--log", "debug", "table", "--help").out()).contains("create", "drop");
    assertThat(Ran.program("quer", "notes").err())
        .isEqualTo(
            """
            uniserve: there is no command 'quer'
            Did you mean: uniserve query or uniserve recover or uniserve controller?
            Try 'uniserve --help'.
            """);
  }

  @Test
  void acceptsTheFormerNameOfControllersAndWarnsOnce() {
    String warning = "uniserve: command router is a former name of controller\n";
    Ran now = run("controller", "list");
    Ran former = run("router", "list");
    assertThat(former.status()).isEqualTo(now.status());
    assertThat(former.out()).isEqualTo(now.out());
    assertThat(former.err()).isEqualTo(warning + now.err());
    assertThat(now.err()).doesNotContain("former");
    assertThat(Ran.program("--help").out()).contains("controller").doesNotContain("router");
  }

  @Test
  void acceptsFormerNamesOfSimulatedControllersAndWarnsOnce() {
    Ran former = Ran.program("simulate", "--scenario", "routers", "--routers", "1", "--seed", "1");
    assertThat(former.status()).as(former.err()).isZero();
    assertThat(former.out()).startsWith("controllers seed 1: ");
    assertThat(former.err().lines())
        .containsOnlyOnce("uniserve: scenario routers is a former name of controllers")
        .containsOnlyOnce("uniserve: --routers is a former name of --controllers");
  }

  @Test
  void tellsThatNothingAnswers() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = free.getLocalPort();
    }
    String nowhere = "http://127.0.0.1:" + port;
    assertThat(Ran.program("status", "--url", nowhere).err())
        .isEqualTo("uniserve: no cluster answers at " + nowhere + "; start one or pass --url\n");
    assertThat(Ran.program("status", "--url", "localhost").err())
        .startsWith("uniserve: the URL must begin with http://");
  }

  @Test
  void refusesAPortInUse() {
    Ran refused =
        Ran.program(
            "start",
            "--dir",
            directory.resolve("data").toString(),
            "--servers",
            "1",
            "--http",
            Integer.toString(service.port()));
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo(
            "uniserve: port " + service.port() + " on 127.0.0.1 is in use; choose another\n");
  }

  @Test
  void saysWhatIsWrongWithItsUse() {
    Ran misspelt = Ran.program("lod", "notes");
    assertThat(misspelt.status()).isEqualTo(2);
    assertThat(misspelt.err()).contains("lod").contains("load");
    Ran missing = Ran.program("start");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err())
        .isEqualTo(
            "uniserve: Missing required option: '--dir=DIR'\nTry 'uniserve start --help'.\n");
    assertThat(Ran.program("status", "--log", "loud").status()).isEqualTo(2);
  }

  /** Threads of a service in the same process may log much at that moment. */
  @Test
  void logsNothingOfThoseWhoTellMuchWhileItSetsItsLevels() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    Logger chatty = LoggerFactory.getLogger("org.eclipse.jetty.chatty");
    Thread talking =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!stop.get()) {
                    chatty.debug("much");
                  }
                });
    try {
      for (int i = 0; i < 4; i++) {
        assertThat(run("table", "list").err()).isEmpty();
      }
    } finally {
      stop.set(true);
      talking.join();
    }
  }

  @Test
  void playsSimulatedClusters() {
    Ran two = Ran.program("simulate", "--scenario", "ledger", "--seed", "7", "--seeds", "2");
    assertThat(two.status()).as(two.out()).isZero();
    assertThat(two.out()).contains("ledger seed 7:").contains("ledger seed 8:");
    assertThat(two.err()).isEmpty();
    Ran unknown = Ran.program("simulate", "--scenario", "chess");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.out()).isEmpty();
    assertThat(unknown.err())
        .startsWith("uniserve: there is no scenario 'chess'; there are cluster, ");
  }

  @Test
  void listsFiguresAndRefusesOthers() {
    assertThat(Ran.program("figure").status()).isZero();
    assertThat(Ran.program("figure").out()).contains("queue sizes");
    assertThat(Ran.program("figure", "2", "1").err())
        .startsWith("uniserve: there is no figure '1'; there are 2, 3, ");
  }

  /** A command that nobody documents is one that nobody tests with the script either. */
  @Test
  void theDocumentationListsEveryCommand() throws IOException {
    SortedSet<String> commands = new TreeSet<>();
    for (Class<?> type : Program.commandsFor()) {
      CommandLine command = new CommandLine(type);
      String name = command.getCommandName();
      commands.add(name);
      command.getSubcommands().keySet().forEach(kind -> commands.add(name + " " + kind));
      if (!command.getSubcommands().isEmpty()) {
        commands.remove(name);
      }
    }
    assertThat(DocumentedCommands.of(Path.of("../docs/cli.md"))).isEqualTo(commands);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "demo",
        "start",
        "node",
        "table",
        "table create",
        "table drop",
        "table list",
        "table show",
        "load",
        "query",
        "status",
        "bench",
        "simulate"
      })
  void explainsEveryCommand(String command) {
    String[] arguments = (command + " --help").strip().split(" ");
    Ran help = Ran.program(arguments);
    assertThat(help.status()).isZero();
    assertThat(help.out()).contains("Usage: uniserve " + command).contains("--log");
    assertThat(help.err()).isEmpty();
  }

  private void expectFailure(String message, String... arguments) {
    assertThat(run(arguments)).isEqualTo(new Ran(1, "", "uniserve: " + message + "\n"));
  }

  /** Runs a command on the cluster, unless it is one that does not need it. */
  private Ran run(String... arguments) {
    if (arguments[0].equals("node")) {
      return Ran.program(arguments);
    }
    return Ran.at(url, arguments);
  }
}
