package io.uniserve.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.Note;
import io.uniserve.node.notes.NotesActor;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.notes.PutNotes;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.remote.Retries;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.wire.cluster.ActorState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Engines that fail, or are missing, with the errors and the rest of the service. */
@Timeout(180)
class FailingEnginesTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path directory;

  /** An engine that keeps notes, if it does not fail. */
  private record Moody(boolean makes, boolean opens) implements Engine<NotesActor> {
    @Override
    public String name() {
      return "moody";
    }

    @Override
    public List<Class<? extends Record>> types() {
      return new NotesEngine().types();
    }

    @Override
    public NotesActor create(ActorContext context) {
      if (!makes) {
        throw new IllegalStateException("no mood to make anything");
      }
      return new NotesActor();
    }

    @Override
    public NotesActor deserialize(ActorContext context) throws IOException {
      if (!opens) {
        throw new IllegalStateException("no mood to open anything");
      }
      return new NotesEngine().deserialize(context);
    }

    @Override
    public Optional<Planner> planner() {
      return new NotesEngine().planner();
    }
  }

  private static void create(UniserveClient client, String engine) {
    client.createTable(
        new TableDefinition(
            engine, engine, new Partitioner.Hash(2), 2, Durability.ASYNCHRONOUS, Map.of()),
        LONG);
  }

  private static void put(UniserveClient client, String table) {
    client.update(table, new PutNotes(), List.of(new Note("a", "x")), UpdateOptions.ALL_COPIES);
  }

  private static void awaitEvent(HttpService service, String part) {
    Retries often = new Retries(100, Duration.ofMillis(100), Duration.ofSeconds(1));
    try (RemoteCluster remote = new RemoteCluster(service.url())) {
      often.run(
          () -> {
            String events = remote.get("/api/events/recent").toString();
            if (!events.contains(part)) {
              throw new UniserveException(ErrorCode.UNAVAILABLE, part + " is not in " + events);
            }
            return events;
          });
    }
  }

  @Test
  void aTableThatCannotBeMadeFailsAtOnceAndLeavesNothing() {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(directory, 2, new NotesEngine(), new Moody(false, true));
        HttpService service =
            new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0))) {
      long started = System.nanoTime();
      assertThatThrownBy(() -> create(cluster.client(), "moody"))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
          .hasMessageContaining("table 'moody' cannot be made by engine 'moody'")
          .hasMessageContaining("on server 's")
          .hasMessageContaining("no mood to make anything")
          .hasMessageContaining("it was dropped again");
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(LONG.dividedBy(2));
      assertThat(cluster.client().table("moody")).isEmpty();
      Ran ran = Ran.at(service.url(), "table", "create", "moody", "--engine", "moody");
      assertThat(ran.status()).isEqualTo(1);
      assertThat(ran.err()).contains("no mood to make anything");
      awaitEvent(service, "kind=unmade, text=table moody was not made, why=");
      create(cluster.client(), "notes");
      put(cluster.client(), "notes");
    }
  }

  @Test
  void withoutAnEngineTheTablesOfOthersAreServedAndNothingIsLost() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(directory, 2, new NotesEngine(), new Moody(true, true))) {
      for (String engine : List.of("notes", "moody")) {
        create(cluster.client(), engine);
        put(cluster.client(), engine);
      }
    }
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 2, new NotesEngine());
        HttpService service =
            new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0))) {
      put(cluster.client(), "notes");
      assertThat(Ran.at(service.url(), "query", "notes", "x").out()).contains("1 match");
      assertThat(Ran.at(service.url(), "status").out())
          .contains("FAILING COPY")
          .contains("moody/0")
          .contains("there is no engine 'moody'; this process has [notes]");
      awaitEvent(service, "text=moody/0 fails on s1, why=there is no engine 'moody'");
      assertThat(cluster.state().table("moody").orElseThrow().actors())
          .as("nothing of it is called damaged")
          .extracting(ActorState::complete)
          .noneMatch(List::isEmpty);
    }
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(directory, 2, new NotesEngine(), new Moody(true, true));
        HttpService service =
            new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0))) {
      assertThat(Ran.at(service.url(), "query", "moody", "x").out()).contains("1 match");
      StateWait.await(cluster.client(), StateWait::whole, LONG, "all copies to be ready");
      assertThat(Ran.at(service.url(), "status").out()).doesNotContain("FAILING COPY");
    }
  }

  @Test
  void whoAsksForWhatCannotBeOpenedIsToldWhy() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(directory, 2, new NotesEngine(), new Moody(true, true))) {
      create(cluster.client(), "moody");
      put(cluster.client(), "moody");
    }
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(directory, 2, new NotesEngine(), new Moody(true, false));
        HttpService service =
            new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0))) {
      for (Ran ran :
          List.of(Ran.at(service.url(), "query", "moody", "x"), Ran.at(service.url(), "status"))) {
        assertThat(ran.out() + ran.err()).contains("no mood to open anything");
      }
    }
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(directory, 2, new NotesEngine(), new Moody(true, true));
        HttpService service =
            new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0))) {
      assertThat(Ran.at(service.url(), "query", "moody", "x").out())
          .as("nothing was given up")
          .contains("1 match");
    }
  }
}
