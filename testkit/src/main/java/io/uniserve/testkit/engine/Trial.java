package io.uniserve.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.Consistency;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.FileTree;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables of one check, below one directory, which are closed when the check ends. */
public final class Trial<A extends Actor> implements AutoCloseable {
  private static final Partitioner SPLIT =
      new Partitioner.Hash(1).cut(0, new PartitionChange.Where.Bit(0), 0);

  private final EngineUnderTest<A> subject;
  private final TableDefinition definition;
  private final List<Batch> batches;
  private final Path directory;
  private final List<LocalTable<A>> tables = new ArrayList<>();
  private int directories;

  private Trial(EngineUnderTest<A> subject, Path directory, int actors, Consistency level)
      throws IOException {
    this.subject = subject;
    this.directory = Files.createDirectories(directory).toRealPath();
    TableDefinition asked = subject.table();
    definition =
        new TableDefinition(
            asked.name(),
            asked.engine(),
            new Partitioner.Hash(actors),
            asked.replicas(),
            asked.durability(),
            level,
            asked.schema());
    batches = subject.batches();
  }

  /** Makes a trial with tables of one actor. */
  public static <A extends Actor> Trial<A> of(EngineUnderTest<A> subject, Path directory)
      throws IOException {
    return of(subject, directory, 1);
  }

  /** Makes a trial with tables of a number of actors. */
  public static <A extends Actor> Trial<A> of(
      EngineUnderTest<A> subject, Path directory, int actors) throws IOException {
    return new Trial<>(subject, directory, actors, Consistency.EVENTUAL);
  }

  /** Makes a trial with tables of one actor and ordered updates. */
  public static <A extends Actor> Trial<A> ordered(EngineUnderTest<A> subject, Path directory)
      throws IOException {
    return new Trial<>(subject, directory, 1, Consistency.ORDERED);
  }

  public int batchCount() {
    return batches.size();
  }

  /** Returns a path that is not in use. */
  public Path newDirectory() {
    return directory.resolve("d" + directories++);
  }

  public LocalTable<A> emptyTable() throws IOException {
    return emptyTable(newDirectory());
  }

  public LocalTable<A> emptyTable(Path files) throws IOException {
    return track(LocalTable.create(subject.engine(), definition, files));
  }

  public LocalTable<A> tableAfter(int count) throws IOException {
    LocalTable<A> table = emptyTable();
    apply(table, 0, count);
    return table;
  }

  public LocalTable<A> filledTable() throws IOException {
    return tableAfter(batches.size());
  }

  /** Applies the batches from one number, inclusive, to another, exclusive. */
  public void apply(LocalTable<A> table, int from, int to) {
    batches.subList(from, to).forEach(table::update);
  }

  public Path serialize(LocalTable<?> table) throws IOException {
    Path serialized = newDirectory();
    table.serialize(serialized);
    return serialized;
  }

  public LocalTable<A> deserialize(Path serialized) throws IOException {
    return track(LocalTable.deserialize(subject.engine(), definition, serialized, newDirectory()));
  }

  /** Hands serialised files to another actor; returns its directory, which it can open. */
  public Path handOver(Path serialized) throws IOException {
    Path home = newDirectory();
    new FileTree(serialized).copyTo(home, subject.engine().writesFilesOnce());
    return home;
  }

  /** Opens a table where its files were {@linkplain #handOver handed over}. */
  public LocalTable<A> open(Path home) throws IOException {
    return track(LocalTable.opened(subject.engine(), definition, home));
  }

  /** Copies a table. */
  public LocalTable<A> copy(LocalTable<A> table) {
    try {
      return deserialize(serialize(table));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a table of two actors that are the parts of another table's one actor. */
  public LocalTable<A> split(LocalTable<A> whole) throws IOException {
    Path serialized = serialize(whole);
    new FileTree(LocalTable.directoryOf(serialized, 0))
        .copyTo(LocalTable.directoryOf(serialized, 1), false);
    LocalTable<A> parts = open(SPLIT, serialized);
    parts.retain();
    return parts;
  }

  /** Opens a split table again from its files. */
  public LocalTable<A> reopen(LocalTable<A> parts) throws IOException {
    return open(SPLIT, serialize(parts));
  }

  /** Makes a table of one actor with the contents of another table's two. */
  public LocalTable<A> merge(LocalTable<A> parts) throws IOException {
    LocalTable<A> merged = deserialize(serialize(parts));
    merged.actor(0).absorb(parts.actor(1));
    return merged;
  }

  private LocalTable<A> open(Partitioner partitioner, Path serialized) throws IOException {
    TableDefinition split = definition.withPartitioner(partitioner);
    return track(LocalTable.deserialize(subject.engine(), split, serialized, newDirectory()));
  }

  private LocalTable<A> track(LocalTable<A> table) {
    tables.add(table);
    return table;
  }

  /** Returns a table's answers to all questions, by the questions' names. */
  public Map<String, Object> answers(LocalTable<A> table) {
    Map<String, Object> answers = new LinkedHashMap<>();
    for (Question<?> question : subject.questions()) {
      answers.put(question.name(), table.query(question.plan()));
    }
    return answers;
  }

  /** Checks the answers of a table against the known answers after all batches. */
  public void assertFilled(LocalTable<A> table) {
    Map<String, Object> answers = answers(table);
    for (Question<?> question : subject.questions()) {
      question
          .whenFilled()
          .ifPresent(
              known ->
                  assertThat(answers.get(question.name()))
                      .as("%s, after all batches", question.name())
                      .isEqualTo(known));
    }
  }

  @Override
  public void close() {
    tables.forEach(LocalTable::close);
  }
}
