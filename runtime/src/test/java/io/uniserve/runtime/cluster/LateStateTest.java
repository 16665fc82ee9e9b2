package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.ControlMessage.AskVersion;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ClusterFounded;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.entry.Engines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client whose controller lags behind the decisions. The test plays the controller. */
@Timeout(60)
class LateStateTest {
  private static final Address CONTROLLER = new Address("controller");
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final TableDefinition TABLE =
      new TableDefinition("t", "tally", new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
  private static final List<ControlRecord> RECORDS =
      List.of(
          new ClusterFounded("c"),
          new ServerJoined("s", new Address("s"), 1),
          new TableCreated(1, TABLE, List.of(List.of("s"))));

  @TempDir Path directory;

  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();
  private final InProcessNetwork network = new InProcessNetwork(clock);
  private final CompletableFuture<Incoming> subscription = new CompletableFuture<>();
  private ClusterClient client;

  @BeforeEach
  void start() throws IOException {
    client =
        new ClusterClient(
            environment("client"),
            List.of(CONTROLLER),
            new Engines(List.of()),
            ClientSettings.DEFAULT);
  }

  @AfterEach
  void close() {
    client.close();
    clock.close();
  }

  private ProductionEnvironment environment(String process) throws IOException {
    return new ProductionEnvironment(
        clock,
        threads,
        new FileStorage(directory),
        ProductionEnvironment.unseeded(),
        network.attach(new Address(process)));
  }

  /**
   * Plays a controller that keeps its subscriber waiting, and answers other requests in this way.
   */
  private void play(BiConsumer<Message, Incoming> answer) throws IOException {
    environment("controller")
        .transport()
        .listen(
            CONTROLLER,
            (request, call) -> {
              if (request instanceof Subscribe) {
                subscription.complete(call);
              } else {
                answer.accept(request, call);
              }
            });
  }

  private static void answer(Incoming call, Message answer) {
    call.reply(answer);
    call.complete();
  }

  @Test
  void aTableThatItHasNotHeardOfIsAskedFor() throws IOException {
    play(
        (request, call) -> {
          assertThat(request).isInstanceOf(AskVersion.class);
          answer(call, new Changed(0, RECORDS.size()));
          subscription.join().reply(new StateChanges(0, RECORDS));
        });
    assertThat(client.table("t")).isPresent();
  }

  @Test
  void aTableThatThereIsNotIsNotWaitedFor() throws IOException {
    play((request, call) -> answer(call, new Changed(0, 0)));
    assertThat(client.table("t")).isEmpty();
    assertThatThrownBy(() -> client.backups().backUp("t", LONG))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  /**
   * Every request that names a table asks about it, and does not rely on the client's old state.
   */
  static Stream<Consumer<ClusterClient>> whateverNamesATable() {
    QueryOptions query = new QueryOptions(SHORT);
    UpdateOptions update =
        new UpdateOptions(SHORT, UpdateOptions.Acknowledgement.PRIMARY, Optional.empty());
    Source mapped = new Source.Mapped(Source.table("t"), new TallyOperators.Times(2));
    return Stream.of(
        client -> client.table("t"),
        client -> client.backups().backUp("t", SHORT),
        client -> client.updateAll("t", new Add(), update),
        client -> client.update("t", new Add(), List.of(new Amount("a", 1)), update),
        client -> client.query(Plan.query("t", new Total(), TallyEngine.adding()), query),
        client ->
            client
                .queries()
                .queryExplained(Plan.query("t", new Total(), TallyEngine.adding()), query),
        client ->
            client.query(
                new Plan.Query<>(mapped, new TallyOperators.ReadSheet(), TallyEngine.collecting()),
                query));
  }

  @ParameterizedTest
  @MethodSource("whateverNamesATable")
  void withoutAControllerThatDecidesNobodyIsToldThatThereIsNoTable(Consumer<ClusterClient> call)
      throws IOException {
    play((request, incoming) -> answer(incoming, new NotLeader(Optional.empty())));
    assertThatThrownBy(() -> call.accept(client))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e ->
                assertThat(e.code())
                    .isIn(
                        ErrorCode.UNAVAILABLE,
                        ErrorCode.DEADLINE_EXCEEDED)); // if everything was slow
  }
}
