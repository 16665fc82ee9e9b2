package io.uniserve.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.Note;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.notes.PutNotes;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ring}: its output and exit status. */
@Timeout(180)
class RingCommandTest {
  private static final int NOTES = 100;

  @TempDir private static Path directory;
  private static EmbeddedCluster cluster;
  private static HttpService service;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(directory, 5, new NotesEngine());
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
  }

  private static Ran run(String command) {
    return Ran.at(service.url(), command.split(" "));
  }

  private static void create(String table, int replicas) {
    String command =
        "table create %s --engine notes --actors 4 --replicas %d --durability none --placement ring"
            + " --ring-servers s1,s2,s3";
    assertThat(run(command.formatted(table, replicas)).status()).isZero();
  }

  private static void fill(String table) {
    List<Note> notes =
        IntStream.range(0, NOTES).mapToObj(i -> new Note("n" + i, "a note")).toList();
    cluster.client().update(table, new PutNotes(), notes, UpdateOptions.ALL_COPIES);
  }

  private static void assertWhole(String table) {
    assertThat(run("query " + table + " note --rows 1").out()).startsWith(NOTES + " matches in ");
  }

  /** Returns the ring as text. Who leads is not looked at, since it follows later. */
  private static List<String> shown(String table) {
    return run("ring show " + table)
        .out()
        .replace('●', '○')
        .lines()
        .map(String::stripTrailing)
        .toList();
  }

  private static Ran refused(String why) {
    return new Ran(1, "", "uniserve: " + why + "\n");
  }

  @Test
  void changesAreMadeOneAfterAnother() {
    create("hashed", 2);
    fill("hashed");
    assertThat(run("ring expand hashed s4"))
        .isEqualTo(
            new Ran(
                0,
                "Change 1 of the ring of table hashed waits for its turn: expand: s4 at 3\n",
                ""));
    assertThat(run("ring expand hashed s5 --at 3.5 --after 1").status()).isZero();
    assertThat(run("ring contract hashed s2").status()).isZero();
    assertThat(run("ring rebalance hashed s5 --at 2.5 --wait"))
        .isEqualTo(
            new Ran(0, "Change 4 of the ring of table hashed is made: rebalance: s5 to 2.5\n", ""));
    assertWhole("hashed");
    assertThat(shown("hashed"))
        .contains("Change 1 is made: expand: s4 at 3", "Change 3 is made: contract: s2 leaves");
  }

  @Test
  void aRingIsShownAsAPicture() {
    create("shown", 3);
    assertThat(shown("shown"))
        .containsExactly(
            "Ring of table shown: 3 servers, 3 copies of each range",
            "     FROM  OWNER  s1  s2  s3  ACTOR",
            " ╭─▶ 0     s1     ○   ○   ○   0",
            " │   1     s2     ○   ○   ○   1",
            " │   2     s3     ○   ○   ○   2",
            " ╰── 3     s3     ○   ○   ○   3",
            "",
            "○ leads   ○ holds   ◌ is being made   × answers its last reads");
  }

  @Test
  void identifiersOfARangeAreKeys() {
    cluster
        .client()
        .tables()
        .createTable(
            new TableDefinition(
                "ranged",
                "notes",
                new Partitioner.Range(List.of(PartitionKey.of("n3"), PartitionKey.of("n6"))),
                2,
                Durability.NONE,
                Map.of()),
            new RingPlacement(List.of("s1", "s2", "s3")),
            Duration.ofSeconds(60));
    fill("ranged");
    assertThat(run("ring expand ranged s4 --at n45 --wait").out())
        .isEqualTo("Change 1 of the ring of table ranged is made: expand: s4 at n45\n");
    assertThat(run("ring replace ranged s3 s5 --wait").status()).isZero();
    assertThat(run("ring contract ranged s4 --wait").status()).isZero();
    assertWhole("ranged");
    assertThat(shown("ranged"))
        .contains(
            "     FROM  OWNER  s1  s2  s5  ACTOR",
            " ╭─▶       s1     ○   ○       0",
            " │   n3    s2         ○   ○   4",
            " ╰── n6    s5     ○       ○   2");
    assertThat(run("ring expand ranged s3"))
        .isEqualTo(
            refused(
                "ring: 'at' is missing: a table that is partitioned by range does not know which"
                    + " key halves a range"));
  }

  @Test
  void whatCannotBeIsRefused() {
    create("refused", 3);
    assertThat(run("ring contract refused s1"))
        .isEqualTo(refused("server s1 cannot leave the ring: 3 copies need as many servers"));
    assertThat(run("ring expand refused s1"))
        .isEqualTo(refused("server s1 is on the ring already"));
    assertThat(run("ring expand refused s9"))
        .isEqualTo(refused("there is no server 's9'; there are [s1, s2, s3, s4, s5]"));
    assertThat(run("ring expand refused s4 --after 7"))
        .isEqualTo(
            refused(
                "the ring of table 'refused' is not as it was after change 7: the last one that"
                    + " was submitted is 0"));
    assertThat(run("placement split refused/0"))
        .isEqualTo(
            refused("table 'refused' is placed on a ring of servers: change the ring instead"));
    assertThat(run("move refused 0 --from s1 --to s4"))
        .isEqualTo(
            refused("table 'refused' is placed on a ring of servers: change the ring instead"));
    assertThat(
            run(
                "table create few --engine notes --actors 2 --replicas 3 --durability none"
                    + " --placement ring"))
        .isEqualTo(
            refused(
                "table 'few': 3 copies need a ring of as many servers, which own an actor each:"
                    + " there are 5 servers and 2 actors"));
    assertThat(run("table create plain --engine notes --actors 1 --durability none").status())
        .isZero();
    assertThat(run("ring show plain"))
        .isEqualTo(refused("table 'plain' is placed by policies, not on a ring"));
  }
}
