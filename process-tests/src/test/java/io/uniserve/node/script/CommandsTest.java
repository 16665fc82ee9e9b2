package io.uniserve.node.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.cli.DocumentedCommands;
import io.uniserve.node.processes.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of every command of docs/cli.md, through {@code ./uniserve}. */
@Tag("processes")
@Timeout(900)
class CommandsTest {
  private static final Pattern READY = Pattern.compile("(http://\\S+)\\s[^$]*Stop it with Ctrl-C");
  private static final Pattern LISTENS = Pattern.compile("(http://\\S+)");

  /**
   * Commands that are refused with a line that gives the reason, and for wrong usage also the place
   * to read more.
   */
  private static final Map<List<String>, String> REFUSED =
      Map.ofEntries(
          Map.entry(List.of("nonsense"), "2 uniserve: there is no command 'nonsense'\n"),
          Map.entry(List.of("load"), "2 uniserve: Missing required parameters: 'TABLE', 'FILE'\n"),
          Map.entry(List.of("table"), "2 uniserve: Missing required subcommand\n"),
          Map.entry(List.of("status", "--colour"), "2 uniserve: Unknown option: '--colour'\n"),
          Map.entry(
              List.of("simulate", "--scenario", "x"),
              "2 uniserve: there is no scenario 'x'; there"),
          Map.entry(List.of("figure", "x"), "2 uniserve: there is no figure 'x'; there are 2, 3,"),
          Map.entry(
              List.of("status", "--url", "http://localhost:1"),
              "1 uniserve: no cluster answers at http://localhost:1; start one or pass --url\n"),
          Map.entry(
              List.of("status", "--url", "localhost"),
              "1 uniserve: the URL must begin with http:// or https://, not localhost\n"),
          Map.entry(
              List.of("node", "--config", "missing.conf"),
              "1 uniserve: there is no file missing.conf\n"),
          Map.entry(
              List.of("start", "--dir", "d", "--http", "99999"),
              "1 uniserve: a port is a number from 0 to 65535, not 99999\n"),
          Map.entry(
              List.of("table", "create", "t", "--schema", "{"), "1 uniserve: --schema: not JSON: "),
          Map.entry(
              List.of("bench", "list"),
              "1 uniserve: this distribution does not contain the benchmarks\n"));

  @TempDir private Path directory;
  private final SortedSet<String> ran = new TreeSet<>(List.of("bench"));
  private Script script;

  @BeforeEach
  void find() throws Exception {
    script = Script.orSkip(directory);
  }

  @AfterEach
  void stop() {
    if (script != null) {
      script.close();
    }
  }

  /** Runs a command that must succeed and print only its progress to standard error. */
  private String ok(String command, String... arguments) throws Exception {
    ran.add(command);
    List<String> all = new ArrayList<>(List.of(command.split(" ")));
    all.addAll(List.of(arguments));
    Script.Ran done = script.run(all.toArray(String[]::new));
    assertThat(done.status()).as("%s: %s%s", all, done.out(), done.err()).isZero();
    assertThat(done.err().lines().filter(line -> !line.startsWith("  "))).as("" + all).isEmpty();
    return done.out();
  }

  @Test
  void everyCommandOfTheDocumentation() throws Exception {
    String url =
        script.start(
            READY, "start", "--dir", "data", "--servers", "3", "--http", "0", "--flight", "0");
    ran.add("start");
    tablesAndRecords(url);
    session(url);
    export(url);
    copies(url);
    ring(url);
    streams(url);
    settings(url);
    backups(url);
    tokens();
    controllers();
    assertThat(ok("simulate", "--scenario", "controllers", "--seed", "1"))
        .startsWith("controllers seed 1: ");
    ok("figure", "3", "--small", "--out", directory.resolve("figures").toString());
    assertThat(directory.resolve("figures")).isNotEmptyDirectory();
    ok("table drop", "films", "--url", url);

    SortedSet<String> documented = DocumentedCommands.of(Script.PROJECT.resolve("docs/cli.md"));
    ran.add("demo"); // tested below
    ran.add("cancel"); // tested above, where there was nothing to cancel
    assertThat(ran).isEqualTo(documented);
    assertThat(commandsOf(documented)).isEqualTo(commandsOfUsage());
  }

  private void tablesAndRecords(String url) throws Exception {
    String schema =
        "{\"fields\": {\"title\": {\"type\": \"text\"}, \"year\": {\"type\": \"long\"}}}";
    assertThat(ok("table create", "films", "--actors", "1", "--url", url, "--schema", schema))
        .isEqualTo("Table films created: 1 actor of search, copies of each: 2\n");
    Path lines =
        Files.writeString(
            directory.resolve("films.jsonl"),
            "{\"id\": \"1\", \"title\": \"Metropolis\", \"year\": 1927}\n");
    Path values =
        Files.writeString(
            directory.resolve("films.csv"), "id,title,year\n2,M,1931\n3,Faust,1926\n");
    assertThat(ok("load", "films", lines.toString(), "--url", url))
        .startsWith("1 record stored in films in ");
    assertThat(ok("load", "films", values.toString(), "--url", url))
        .startsWith("2 records stored in films in ");
    assertThat(ok("load", "films", ColumnFiles.parquet(directory, "4").toString(), "--url", url))
        .startsWith("1 record stored in films in ");
    assertThat(ok("load", "films", ColumnFiles.arrow(directory, "5").toString(), "--url", url))
        .startsWith("1 record stored in films in ");
    assertThat(ok("query", "films", "title:metropolis OR year:1926", "--url", url))
        .startsWith("2 matches in ");
    assertThat(ok("query", "films", "*:*", "--json", "--url", url)).contains("\"total\" : 5");
    assertThat(ok("table list", "--url", url)).contains("films  search");
    assertThat(ok("table show", "films", "--url", url)).contains("\"films\"");
    assertThat(ok("status", "--url", url)).contains("films  search", "2 of 2");
    ok("table create", "shop", "--engine", "warehouse", "--actors", "2", "--url", url);
    ok("sql", "-c", "create table sales (id bigint primary key, amount int)", "--url", url);
    ok("sql", "-c", "insert into sales values (1, 10), (2, 32)", "--url", url);
    assertThat(ok("sql", "-c", "select sum(amount) as total from sales", "--url", url))
        .startsWith("total\n   42\n1 row in ");
    assertThat(ok("sql", "-c", "select ascii('é') as code, chr(233) as text", "--url", url))
        .contains("233")
        .contains("é");
  }

  private void session(String url) throws Exception {
    ok(
        "table create",
        "shelf",
        "--consistency",
        "ordered",
        "--schema",
        "{\"fields\": {}}",
        "--url",
        url);
    Path lines =
        Files.writeString(
            directory.resolve("shelf.txt"), "{\"id\": \"1\"}\n{\"$query\": \"*:*\"}\n");
    assertThat(ok("session", "shelf", lines.toString(), "--url", url))
        .startsWith("{\"line\":1,\"applied\":true}\n{\"line\":2,\"result\":")
        .contains("\"total\":1");
    assertThat(script.run("session", "films", lines.toString(), "--url", url).err())
        .startsWith("uniserve: ")
        .contains("films");
  }

  private void export(String url) throws Exception {
    Path file = directory.resolve("exported.csv");
    assertThat(ok("export", "films", "--where", "year:1927", "-o", file.toString(), "--url", url))
        .startsWith("1 record of films written in ");
    assertThat(file).content().contains("1", "Metropolis", "1927");
    Path none = directory.resolve("none.jsonl");
    Script.Ran refused =
        script.run("export", "films", "--from", "b", "--to", "a", "-o", "" + none, "--url", url);
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err()).isEqualTo("uniserve: an empty key range: 'b' is not below 'a'\n");
    assertThat(directory).isDirectoryNotContaining("glob:**none.jsonl*");
    Path amounts = directory.resolve("amounts.jsonl");
    ok("export", "shop.sales", "--fields", "amount", "-o", amounts.toString(), "--url", url);
    assertThat(Files.readAllLines(amounts))
        .containsExactlyInAnyOrder("{\"amount\":10}", "{\"amount\":32}");
    exportParquet(url);
  }

  private void exportParquet(String url) throws Exception {
    Path sales = directory.resolve("sales.parquet");
    assertThat(ok("export", "shop.sales", "-o", sales.toString(), "--url", url))
        .startsWith("2 records of shop.sales written in ");
    assertThat(Files.readAllBytes(sales)).startsWith('P', 'A', 'R', '1');
    Path none = directory.resolve("none.parquet");
    Script.Ran refused =
        script.run("export", "films", "--fields", "t*", "-o", none.toString(), "--url", url);
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err()).contains("the fields of 't*' are not known beforehand");
    assertThat(directory).isDirectoryNotContaining("glob:**.parquet.*");
    assertThat(none).doesNotExist();
  }

  private void ring(String url) throws Exception {
    ok(
        "table create",
        "wheel",
        "--actors",
        "2",
        "--placement",
        "ring",
        "--ring-servers",
        "s1,s2",
        "--schema",
        "{\"fields\": {}}",
        "--url",
        url);
    assertThat(ok("ring show", "wheel", "--url", url)).startsWith("Ring of table wheel: 2 servers");
    assertThat(script.run("ring", "expand", "wheel", "s9", "--url", url).err()).contains("s9");
    ok("ring expand", "wheel", "s3", "--wait", "--url", url);
    ok("ring contract", "wheel", "s2", "--wait", "--url", url);
    ok("ring replace", "wheel", "s1", "s2", "--wait", "--url", url);
    assertThat(ok("ring rebalance", "wheel", "s3", "--at", "1.5", "--wait", "--url", url))
        .contains("is made: rebalance: s3 to 1.5");
    ok("table drop", "wheel", "--url", url);
  }

  private void streams(String url) throws Exception {
    String broker = "127.0.0.1:1"; // nobody is there: the stream waits
    assertThat(ok("stream create", "films", "--kafka", broker, "--topic", "t", "--url", url))
        .startsWith("Stream films reads topic t into table films.");
    assertThat(ok("stream list", "--url", url)).contains("films   films  t      running");
    ok("stream pause", "films", "--url", url);
    assertThat(ok("stream show", "films", "--url", url)).contains("status: paused");
    ok("stream resume", "films", "--url", url);
    ok("stream drop", "films", "--url", url);
    assertThat(script.run("stream", "show", "films", "--url", url).err())
        .isEqualTo("uniserve: there is no stream 'films'\n");
  }

  private void copies(String url) throws Exception {
    assertThat(ok("drain", "s1", "--url", url)).endsWith("Server s1 is empty\n");
    ok("undrain", "s1", "--url", url);
    ok("move", "films", "0", "--from", "s2", "--to", "s1", "--url", url);
    assertThat(script.run("cancel", "films", "0", "--url", url).err())
        .startsWith("uniserve: ")
        .hasLineCount(1);
    ok("placement pause", "--url", url);
    ok("placement resume", "--url", url);
    ok("placement preview", "--url", url);
    ok("placement apply", "--url", url);
    ok("placement pin", "films/0", "s1", "--url", url);
    assertThat(ok("placement why", "films/0", "--url", url)).contains("s1");
    ok("placement unpin", "films/0", "s1", "--url", url);
    assertThat(ok("placement split", "films/0", "--url", url)).contains("has 2 actors now");
    assertThat(ok("placement merge", "films/1", "--url", url)).contains("has 1 actor\n");
  }

  private void settings(String url) throws Exception {
    ok("scale set", "--min", "3", "--max", "3", "--policy", "utilisation:0.3-0.7", "--url", url);
    ok("scale pause", "--url", url);
    ok("scale resume", "--url", url);
    assertThat(ok("scale show", "--url", url)).startsWith("3 servers, 3 to 3 by utilisation");
  }

  private void backups(String url) throws Exception {
    assertThat(ok("backup", "films", "--url", url)).isEqualTo("Table films backed up: 1 actor\n");
    assertThat(ok("backups", "--url", url)).contains("films", "24 h 00 min");
    assertThat(ok("restore", "films", "--as", "then", "--url", url))
        .isEqualTo("Table then restored: 1 actor\n");
    assertThat(ok("query", "then", "*:*", "--url", url)).startsWith("5 matches in ");
    ran.add("recover");
    Script.Ran recover = script.run("recover", "films", "--accept-loss", "--url", url);
    assertThat(recover.status()).isEqualTo(1);
    assertThat(recover.err()).contains("table 'films' has lost nothing");
  }

  private void tokens() throws Exception {
    String file = directory.resolve("tokens").toString();
    assertThat(ok("token create", "ops", "--admin", "--file", file)).startsWith("uniserve_");
    assertThat(ok("token list", "--file", file)).contains("ops");
    ok("token revoke", "ops", "--file", file);
  }

  /**
   * Tests the controller commands on a cluster of its own, because the controllers of {@code start}
   * are in its process.
   */
  private void controllers() throws Exception {
    String first = "127.0.0.1:" + Jvm.freePort();
    String second = "127.0.0.1:" + Jvm.freePort();
    Files.writeString(
        directory.resolve("first.conf"),
        """
        roles = controller, gateway
        controller = %s
        directory = first
        gateway.listen = 127.0.0.1:0
        """
            .formatted(first));
    Files.writeString(
        directory.resolve("second.conf"),
        """
        roles = controller
        controller = %s, %s
        controller.listen = %s
        directory = second
        """
            .formatted(first, second, second));
    String url = script.start(LISTENS, "node", "--config", "first.conf");
    script.start(Pattern.compile("(" + second + ")"), "node", "--config", "second.conf");
    ran.add("node");
    ok("controller add", second, "--url", url);
    Matcher added =
        Pattern.compile(Pattern.quote(second) + " +([0-9a-f]+)")
            .matcher(ok("controller list", "--url", url));
    assertThat(added.find()).isTrue();
    ok("controller remove", added.group(1), "--url", url);
    assertThat(ok("controller list", "--url", url)).doesNotContain(second);
  }

  private static SortedSet<String> commandsOf(SortedSet<String> documented) {
    return documented.stream()
        .map(command -> command.split(" ")[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the commands in the usage of the script, except its own. */
  private SortedSet<String> commandsOfUsage() throws Exception {
    return script
        .run("--help")
        .out()
        .lines()
        .filter(line -> line.matches(" {2}[a-z].*"))
        .flatMap(line -> Arrays.stream(line.substring(2, 20).split(",")))
        .map(name -> name.strip().split(" ")[0])
        .filter(name -> !List.of("build", "test", "fuzz").contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyCommandExplainsItself() throws Exception {
    for (String command :
        commandsOf(DocumentedCommands.of(Script.PROJECT.resolve("docs/cli.md")))) {
      Script.Ran help = script.run(command, "--help");
      assertThat(help.status()).as(command).isZero();
      assertThat(help.err()).as(command).isEmpty();
      assertThat(help.out()).startsWith("Usage: uniserve " + command + " ");
    }
    for (String command : List.of("build", "test", "fuzz")) { // a command of the script itself
      Script.Ran help = script.run(command, "--help");
      assertThat(help.status() + help.err()).as(command).isEqualTo("0");
      assertThat(help.out()).startsWith("Usage: ./uniserve " + command);
    }
  }

  @Test
  void aFailureIsALineAndWrongUsageSaysWhereToReadMore() throws Exception {
    for (Map.Entry<List<String>, String> refused : REFUSED.entrySet()) {
      Script.Ran done = script.run(refused.getKey().toArray(String[]::new));
      assertThat(done.status() + " " + done.err())
          .as("%s", refused.getKey())
          .startsWith(refused.getValue());
      assertThat(done.out()).as("%s", refused.getKey()).isEmpty();
      List<String> lines = done.err().lines().toList();
      if (done.status() == 1) {
        assertThat(lines).hasSize(1);
      } else {
        assertThat(lines.getLast()).startsWith("Try 'uniserve");
        assertThat(lines).hasSizeLessThan(4);
      }
    }
  }

  @Test
  void theDemoEndsWell() throws Exception {
    Script.Ran demo = script.run("demo", "--exit", "--port", "0", "--dir", "demo");
    assertThat(demo.status()).as(demo.out() + demo.err()).isZero();
    assertThat(demo.out()).contains("Every answer was right.");
  }
}
