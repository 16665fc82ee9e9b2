package io.uniserve.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.PartitionChange;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.Partitioner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.ReplicaUpdates.Preparation;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.cluster.Commitment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a split does to a copy that has prepared something, and to its versions. */
class TransactionalSplitTest {
  private static final String ENGINE = "words";
  private static final ActorId ID = new ActorId(1, 0);
  private static final Partitioner WHOLE = new Partitioner.Range(List.of());

  /** Words from "m" on are another actor's. */
  private static final Partitioner CUT =
      WHOLE.cut(0, new PartitionChange.Where.From(PartitionKey.of("m")), 1);

  @TempDir private Path directory;
  private EngineThreads engineThreads;
  private Replica replica;

  @BeforeEach
  void open() throws IOException {
    SystemClock clock = new SystemClock();
    Environment environment =
        new ProductionEnvironment(
            clock,
            new ProductionThreads(),
            new FileStorage(directory),
            ProductionEnvironment.unseeded(),
            new InProcessNetwork(clock).attach(new Address("server")));
    engineThreads = new EngineThreads(environment, "engine", 1);
    TableDefinition table =
        new TableDefinition(
            "words", ENGINE, WHOLE, 2, Durability.NONE, Consistency.SNAPSHOT, Map.of());
    replica =
        new Replica(
            new ReplicaTarget("cluster", ID, table, Optional.empty()),
            new Engines(List.of(new WordsEngine())),
            engineThreads,
            environment,
            directory.resolve("actor"));
    replica.create(0);
    replica.lead(1, () -> true);
    commit(1, "a", "z");
    commit(2, "b");
  }

  @AfterEach
  void close() {
    replica.close();
    engineThreads.close();
  }

  @Test
  void whatIsPreparedKeepsAPrimaryFromStandingStill() {
    prepare(0, "open", "c");
    assertThat(replica.split().stop(1)).isEmpty();
    assertThat(replica.role()).isEqualTo(new Role.Leading(1));
    replica.updates().abort("open");
    assertThat(replica.split().stop(1)).contains(replica.position());
    assertThat(replica.role()).isEqualTo(new Role.HandingOver(1));
  }

  @Test
  void whatIsPreparedIsDecidedBeforeTheActorRetains() {
    prepare(0, "open", "c", "y");
    replica.due(1);
    replica.lead(2, () -> true);
    assertThat(replica.updates().retain(CUT)).isFalse();
    assertThat(replica.generation()).isZero();
    assertThatThrownBy(() -> prepare(1, "next", "d")).hasMessageContaining("was split");

    replica.updates().commit("open", new Commitment("open", 3, 3));
    assertThat(replica.updates().retain(CUT)).isTrue();
    assertThat(read(1, 3)).contains(Set.of("a", "b", "c"));
  }

  @Test
  void nothingIsPreparedOfTheWholeInTheNextReign() {
    replica.due(1);
    replica.lead(2, () -> true);
    assertThatThrownBy(() -> prepare(0, "late", "y")).hasMessageContaining("was split");
    replica.updates().retain(CUT);
    assertThatThrownBy(() -> prepare(0, "late", "y")).hasMessageContaining("was split");
    assertThat(prepare(1, "next", "d")).isInstanceOf(Preparation.Ready.class);
  }

  @Test
  void aPartHasTheNewestVersionOfTheWholeAndNoneBefore() {
    assertThat(read(0, 1)).contains(Set.of("a", "z"));
    replica.due(1);
    assertThat(read(0, 2)).as("the whole, once it is known to be split").isEmpty();
    replica.lead(2, () -> true);
    replica.updates().retain(CUT);
    assertThat(read(1, 2)).contains(Set.of("a", "b"));
    assertThat(read(1, 1)).isEmpty();
    assertThat(replica.isRead(1)).as("that version is gone, the actor is not").isTrue();
    commit(3, 1, "c");
    assertThat(read(1, 2)).contains(Set.of("a", "b"));
    assertThat(read(1, 3)).contains(Set.of("a", "b", "c"));
  }

  @Test
  void theVersionOfAPartIsReadBeforeItsPrimarySaysThatItRetains() throws IOException {
    makeReady();
    assertThat(read(1, 2)).contains(Set.of("a", "b"));
    assertThat(read(1, 1)).isEmpty();
    replica.due(1);
    assertThat(read(1, 2)).contains(Set.of("a", "b"));
    replica.lead(2, () -> true);
    replica.updates().retain(CUT);
    assertThat(read(1, 2)).contains(Set.of("a", "b"));
    assertThat(read(1, 1)).isEmpty();
  }

  @Test
  void whatWasMadeReadyIsOfNoVersionAfterIt() throws IOException {
    makeReady();
    commit(3, "c");
    assertThat(read(1, 3)).isEmpty();
    assertThat(read(0, 3)).contains(Set.of("a", "b", "c", "z"));
  }

  private void makeReady() throws IOException {
    Checkpoint whole = replica.checkpoints().pinned();
    replica.split().makeReady(whole, CUT, 1);
    replica.files().unpin(whole);
  }

  private void commit(long version, String... words) {
    commit(version, 0, words);
  }

  private void commit(long version, int generation, String... words) {
    String transaction = "transaction-" + version;
    prepare(generation, transaction, words);
    replica.updates().commit(transaction, new Commitment(transaction, version, version));
  }

  private Preparation prepare(int generation, String transaction, String... words) {
    return replica
        .updates()
        .prepare(
            new PrepareUpdate(
                ID,
                generation,
                transaction,
                transaction,
                Payload.of(ENGINE, new Add()),
                Payload.of(ENGINE, List.of(words).stream().map(Word::new).toList())));
  }

  /** What an operator would see, if it may. */
  private Optional<Set<String>> read(int generation, long version) {
    Optional<LiveActor> live = replica.acquire(generation, version);
    Optional<Set<String>> words = live.map(one -> Set.copyOf(((Words) one.actor()).words));
    live.ifPresent(LiveActor::release);
    return words;
  }

  private record Word(String word) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(word);
    }
  }

  private record Add() implements UpdateFunction.Serializable<Words, Word> {
    @Override
    public boolean prepare(Words actor, List<Word> records) {
      actor.prepared = records.stream().map(Word::word).toList();
      return true;
    }

    @Override
    public void commit(Words actor) {
      actor.words.addAll(actor.prepared);
    }

    @Override
    public void abort(Words actor) {
      actor.prepared = List.of();
    }
  }

  private static final class Words implements Actor {
    private final TreeSet<String> words = new TreeSet<>();
    private List<String> prepared = List.of();

    @Override
    public void serialize(Path directory) throws IOException {
      Files.write(directory.resolve("words"), words);
    }

    @Override
    public Optional<Actor> snapshot() {
      Words copy = new Words();
      copy.words.addAll(words);
      return Optional.of(copy);
    }

    @Override
    public void retain(Predicate<PartitionKey> kept) {
      words.removeIf(word -> !kept.test(PartitionKey.of(word)));
    }

    @Override
    public Usage usage() {
      return Usage.NONE;
    }

    @Override
    public void close() {
      // nothing but memory
    }
  }

  private static final class WordsEngine implements Engine<Words> {
    @Override
    public String name() {
      return ENGINE;
    }

    @Override
    public Words create(ActorContext context) {
      return new Words();
    }

    @Override
    public Words deserialize(ActorContext context) throws IOException {
      Words words = new Words();
      words.words.addAll(Files.readAllLines(context.directory().resolve("words")));
      return words;
    }

    @Override
    public List<Class<? extends Record>> types() {
      return List.of(Word.class, Add.class);
    }
  }
}
