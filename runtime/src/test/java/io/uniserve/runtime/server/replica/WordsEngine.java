package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.ActorId;
import io.uniserve.api.Answer;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.ShortUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Member;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An engine for tables of words, to which transactions and ordered updates add some. A word that is
 * added twice is there twice.
 */
final class WordsEngine implements Engine<WordsEngine.Words> {
  private static final String NAME = "words";

  /** The word that updates refuse, with all others of the same update. */
  static final String REFUSED = "refused";

  /** The word for which updates have no room yet. */
  static final String LATER = "later";

  static TableDefinition table(Partitioner partitioner, Consistency level) {
    return new TableDefinition(NAME, NAME, partitioner, 2, Durability.NONE, level, Map.of());
  }

  private static Payload records(String... words) {
    return Payload.of(NAME, List.of(words).stream().map(Word::new).toList());
  }

  static PrepareUpdate add(
      ActorId actor, int generation, String transaction, String key, String... words) {
    return PrepareUpdate.of(actor, generation, transaction, List.of(member(key, words)));
  }

  /** Returns an update of a group. */
  static Member member(String key, String... words) {
    return new Member(UpdateKey.of(key), Payload.of(NAME, new Add()), records(words));
  }

  /** Returns an ordered update, before which nothing is under way. */
  static Delivery add(OrderPlace place, String key, String... words) {
    return new Delivery(
        place, 0, place.number(), UpdateKey.of(key), Payload.of(NAME, new Add()), records(words));
  }

  /** Returns an update that takes the short way. */
  static ShortUpdate add(String key, String... words) {
    return new ShortUpdate(UpdateKey.of(key), Payload.of(NAME, new Add()), records(words));
  }

  /** Returns what an operator would read, in order; empty if it may not. */
  static Optional<List<String>> read(Replica replica, int generation) {
    return words(replica.reads().acquire(generation));
  }

  /** Returns what an operator would read as of a version. */
  static Optional<List<String>> read(Replica replica, int generation, long version) {
    return words(replica.reads().acquire(generation, version));
  }

  private static Optional<List<String>> words(Optional<Shared<Actor>> live) {
    Optional<List<String>> words =
        live.map(one -> ((Words) one.value()).words.stream().sorted().toList());
    live.ifPresent(Shared::release);
    return words;
  }

  private record Word(String word) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(word);
    }
  }

  private record Add()
      implements UpdateFunction.Serializable<Words, Word>, UpdateFunction.Ordered<Words, Word> {
    @Override
    public Answer update(Words actor, List<Word> records) {
      if (records.contains(new Word(REFUSED))) {
        throw UniserveException.invalid("no such word");
      }
      if (records.contains(new Word(LATER))) {
        throw new UniserveException(ErrorCode.EXHAUSTED, "no room for this word yet");
      }
      records.forEach(record -> actor.words.add(record.word()));
      return Answer.NONE;
    }

    @Override
    public boolean prepare(Words actor, List<Word> records) {
      if (records.contains(new Word(REFUSED))) {
        return false;
      }
      records.forEach(record -> actor.prepared.add(record.word()));
      return true;
    }

    @Override
    public void commit(Words actor) {
      actor.words.addAll(actor.prepared);
      actor.prepared.clear();
    }

    @Override
    public void abort(Words actor) {
      actor.prepared.clear();
    }
  }

  /** Some words. */
  static final class Words implements Actor {
    private final List<String> words = new ArrayList<>();
    private final List<String> prepared = new ArrayList<>();

    @Override
    public void serialize(Path directory) throws IOException {
      Files.write(directory.resolve(NAME), words);
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
    public void absorb(Actor other) {
      words.addAll(((Words) other).words);
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

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Words create(ActorContext context) {
    return new Words();
  }

  @Override
  public Words deserialize(ActorContext context) throws IOException {
    Words words = new Words();
    words.words.addAll(Files.readAllLines(context.directory().resolve(NAME)));
    return words;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Word.class, Add.class);
  }
}
