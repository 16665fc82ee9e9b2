package io.uniserve.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionChange;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.Partitioner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.ReplicaOrder.Received;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.OrderPlace;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a split does to a copy that gets ordered updates. */
class OrderedReplicaTest {
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
            "words", ENGINE, WHOLE, 2, Durability.NONE, Consistency.ORDERED, Map.of());
    replica =
        new Replica(
            new ReplicaTarget("cluster", ID, table, Optional.empty()),
            new Engines(List.of(new WordsEngine())),
            engineThreads,
            environment,
            directory.resolve("actor"));
    replica.create(0);
    replica.lead(1, () -> true);
    receive(0, 1, "a", "z");
    receive(0, 2, "refused");
  }

  @AfterEach
  void close() {
    replica.close();
    engineThreads.close();
  }

  private Received.Got receive(int generation, long number, String... words) {
    OrderPlace place = new OrderPlace(number, number - 1, List.of(0));
    return (Received.Got)
        replica
            .order()
            .receive(
                generation,
                new Delivery(
                    place,
                    number - 1,
                    number,
                    "update-" + number,
                    Payload.of(ENGINE, new Add()),
                    Payload.of(ENGINE, List.of(words).stream().map(Word::new).toList())));
  }

  private void assertNotTaken(int generation, long number, String... words) {
    Position before = replica.position();
    assertThatThrownBy(() -> receive(generation, number, words))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_ROUTING));
    assertThat(replica.position()).isEqualTo(before);
  }

  @Test
  void nothingIsTakenBetweenTheReignsAndThenWhatIsOfThePartAlone() {
    replica.due(1);
    replica.lead(2, () -> true);
    assertNotTaken(0, 3, "y");
    assertNotTaken(1, 3, "b");
    replica.updates().retain(CUT);
    assertNotTaken(0, 3, "y");
    receive(1, 3, "b");
    assertThat(((Words) replica.acquire(1).orElseThrow().actor()).words).containsExactly("a", "b");
  }

  @Test
  void anOldCopyOfTheWholeTakesNothingBeforeItRetains() {
    assertNotTaken(1, 3, "b");
    receive(0, 3, "c");
  }

  @Test
  void whatIsMadeOfItHasGotWhatItHadGot() throws IOException {
    Checkpoint whole = replica.checkpoints().pinned();
    CheckpointMeta meta = CheckpointMeta.read(whole.directory());
    CheckpointMeta part = meta.ofPart(new Position(7, 2), 1, 1);
    replica.files().unpin(whole);
    assertThat(part.order().last()).isEqualTo(2);
    assertThat(part.order().refusals()).containsOnlyKeys("update-2");
    assertThat(part.keys()).containsOnlyKeys("update-1");
  }

  private record Word(String word) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(word);
    }
  }

  private record Add() implements UpdateFunction.Ordered<Words, Word> {
    @Override
    public void update(Words actor, List<Word> records) {
      for (Word record : records) {
        if (record.word().equals("refused")) {
          throw UniserveException.invalid("no such word");
        }
      }
      records.forEach(record -> actor.words.add(record.word()));
    }
  }

  private static final class Words implements Actor {
    private final TreeSet<String> words = new TreeSet<>();

    @Override
    public void serialize(Path directory) throws IOException {
      Files.write(directory.resolve("words"), words);
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
