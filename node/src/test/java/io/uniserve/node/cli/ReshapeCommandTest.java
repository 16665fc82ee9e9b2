package io.uniserve.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.Note;
import io.uniserve.node.notes.NotesActor;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.notes.PutNotes;
import io.uniserve.runtime.client.UpdateOptions;
import java.io.IOException;
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

/** {@code placement split} and {@code merge}: their output and exit status. */
@Timeout(120)
class ReshapeCommandTest {
  private static final int NOTES = 100;

  @TempDir private static Path directory;
  private static EmbeddedCluster cluster;
  private static HttpService service;

  /** An engine whose actors are neither split nor merged. */
  private static final class RigidEngine implements Engine<NotesActor> {
    @Override
    public String name() {
      return "rigid";
    }

    @Override
    public List<Class<? extends Record>> types() {
      return List.of();
    }

    @Override
    public NotesActor create(ActorContext context) {
      return new NotesActor();
    }

    @Override
    public NotesActor deserialize(ActorContext context) throws IOException {
      return new NotesEngine().deserialize(context);
    }
  }

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(directory, 1, new NotesEngine(), new RigidEngine());
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
    create("hashed", "notes", new Partitioner.Hash(2));
    create("ranged", "notes", new Partitioner.Range(List.of()));
    create("empty", "notes", new Partitioner.Range(List.of()));
    create("rigid", "rigid", new Partitioner.Hash(1));
  }

  private static void create(String name, String engine, Partitioner partitioner) {
    cluster
        .client()
        .createTable(
            new TableDefinition(name, engine, partitioner, 1, Durability.NONE, Map.of()),
            Duration.ofSeconds(30));
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
  }

  private static Ran split(String... arguments) {
    return placement("split", arguments);
  }

  private static Ran merge(String... arguments) {
    return placement("merge", arguments);
  }

  private static Ran placement(String command, String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "placement";
    all[1] = command;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return Ran.at(service.url(), all);
  }

  private static void fill(String table) {
    List<Note> notes =
        IntStream.range(0, NOTES).mapToObj(i -> new Note("n" + i, "a note")).toList();
    cluster.client().update(table, new PutNotes(), notes, UpdateOptions.ALL_COPIES);
  }

  private static void assertWhole(String table) {
    assertThat(Ran.at(service.url(), "query", table, "note", "--rows", "1").out())
        .startsWith(NOTES + " matches in ");
  }

  private static Ran refused(String why) {
    return new Ran(1, "", "uniserve: " + why + "\n");
  }

  @Test
  void splitsAnActorAndSaysHowManyThereAreThen() {
    fill("hashed");
    assertThat(split("hashed/1"))
        .isEqualTo(new Ran(0, "Actor hashed/1 was split: the table has 3 actors now\n", ""));
    assertThat(split("hashed/2"))
        .isEqualTo(new Ran(0, "Actor hashed/2 was split: the table has 4 actors now\n", ""));
    assertWhole("hashed");
    assertThat(Ran.at(service.url(), "placement", "why", "hashed/3").out())
        .contains("A part of what was actor 2 before a split");
    assertThat(Ran.at(service.url(), "placement", "why", "hashed/0").out()).doesNotContain("split");
  }

  @Test
  void splitsARangeAtAKey() {
    fill("ranged");
    assertThat(split("ranged/0", "--at", "n5"))
        .isEqualTo(new Ran(0, "Actor ranged/0 was split: the table has 2 actors now\n", ""));
    assertWhole("ranged");
    Partitioner partitioner =
        cluster.client().state().requireTable("ranged").definition().partitioner();
    assertThat(partitioner.actorOf(PartitionKey.of("n49"))).isZero();
    assertThat(partitioner.actorOf(PartitionKey.of("n5"))).isEqualTo(1);
    Ran elsewhere = split("ranged/0", "--at", "n7");
    assertThat(elsewhere.status()).isEqualTo(1);
    assertThat(elsewhere.err())
        .startsWith("uniserve: actor 0 of table 'ranged' does not hold key 'n7'");
    Ran atItsFirst = split("ranged/1", "--at", "n5");
    assertThat(atItsFirst.status()).isEqualTo(1);
    assertThat(atItsFirst.err())
        .startsWith("uniserve: actor 1 of table 'ranged' has no key before 'n5'");
  }

  @Test
  void namesWhatThereIsNot() {
    assertThat(split("films/0")).isEqualTo(refused("there is no table 'films'"));
    assertThat(split("empty/9"))
        .isEqualTo(refused("table 'empty' has no actor 9; its actors are 0 to 0"));
    assertThat(split("empty")).isEqualTo(refused("an actor is named TABLE/NUMBER, not 'empty'"));
    assertThat(split("empty/one"))
        .isEqualTo(refused("an actor is named TABLE/NUMBER, not 'empty/one'"));
  }

  @Test
  void saysWhyATableIsNotSplit() {
    create("another", "notes", new Partitioner.Hash(1));
    assertThat(split("another/0", "--at", "n5"))
        .isEqualTo(refused("table 'another' is not partitioned by range: no key to split at"));
    assertThat(split("rigid/0"))
        .isEqualTo(refused("table 'rigid': actors of engine 'rigid' cannot be split"));
  }

  @Test
  void saysWhereItIsSaidWhyASplitCameToNothing() {
    assertThat(split("empty/0"))
        .isEqualTo(
            refused(
                "the split of actor 0 of table 'empty' was given up:"
                    + " the events of the cluster tell the reason"));
    assertThat(cluster.client().state().requireTable("empty").actors()).hasSize(1);
  }

  @Test
  void mergesWhatASplitMade() {
    create("joined", "notes", new Partitioner.Range(List.of()));
    fill("joined");
    split("joined/0", "--at", "n3");
    split("joined/1", "--at", "n6");

    assertThat(merge("joined/0", "--with", "2"))
        .isEqualTo(refused("actor 0 of table 'joined' has keys next to those of actors [1] alone"));
    assertThat(merge("joined/0", "--with", "1"))
        .isEqualTo(
            new Ran(0, "Actor joined/0 is part of actor 3 now: the table has 2 actors\n", ""));
    assertWhole("joined");
    assertThat(Ran.at(service.url(), "placement", "why", "joined/3").out())
        .contains("Was merged of actors 0 and 1");
    assertThat(merge("joined/2"))
        .isEqualTo(
            new Ran(0, "Actor joined/2 is part of actor 4 now: the table has 1 actor\n", ""));
    assertWhole("joined");
  }

  @Test
  void saysWhyActorsAreNotMerged() {
    create("apart", "notes", new Partitioner.Hash(2));
    assertThat(merge("apart/0"))
        .isEqualTo(refused("actor 0 of table 'apart' has keys next to those of no other"));
    assertThat(merge("apart/0", "--with", "7"))
        .isEqualTo(refused("table 'apart' has no actor 7; its actors are 0 to 1"));
    assertThat(merge("rigid/0"))
        .isEqualTo(refused("table 'rigid': actors of engine 'rigid' cannot be merged"));
    assertThat(merge("films/0")).isEqualTo(refused("there is no table 'films'"));
  }

  @Test
  void saysHowItIsUsed() {
    Ran nothing = Ran.program("placement", "split");
    assertThat(nothing.status()).isEqualTo(2);
    assertThat(nothing.err()).contains("Missing required parameter: 'ACTOR'");
  }
}
