package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The operations of one cycle, prepared: each is either in an index, by the one of its tests that
 * few records pass, or in bulk.
 */
final class Batch {
  /** A batch of fewer operations is evaluated in bulk. */
  private static final int INDEXED_MIN = 8;

  /** The most operations of a tree, on average, at one place. */
  private static final int OVERLAP_MAX = 32;

  private static final int[] NONE = {};

  /** One operation. */
  static final class Prepared {
    private final Operation operation;
    private final Atom[] atoms;
    private final long columnsMask;

    /** The columns by which it is in an index; none if it is in none. */
    private int[] indexedBy = NONE;

    private boolean inTree;

    private Prepared(Operation operation, Atom[] atoms) {
      this.operation = operation;
      this.atoms = atoms;
      this.columnsMask =
          Arrays.stream(atoms).mapToLong(atom -> 1L << atom.column()).reduce(0, (a, b) -> a | b);
    }

    Operation operation() {
      return operation;
    }

    Atom[] atoms() {
      return atoms;
    }

    boolean isIndexed() {
      return indexedBy.length > 0;
    }

    private boolean isIndexedBy(int column) {
      return Arrays.stream(indexedBy).anyMatch(each -> each == column);
    }

    /** Returns false if none of its tests is of one of the columns. */
    boolean mayTest(long mask) {
      return (columnsMask & mask) != 0;
    }

    boolean passes(Chunk chunk, int slot) {
      for (Atom atom : atoms) {
        if (!atom.passes(chunk, slot)) {
          return false;
        }
      }
      return true;
    }
  }

  private final Costs costs;
  private final Prepared[] operations;
  private final List<HashIndex> hashed = new ArrayList<>();
  private final List<RangeIndex> ranged = new ArrayList<>();
  private final int[] bulkChanges;
  private final int[] bulkQueries;

  /** The operations with a test of a column that some set and by which they are in no index. */
  private final Map<Integer, int[]> testing = new HashMap<>();

  private final CycleReport.Indexes indexes;

  /** Room for the numbers of a chunk. */
  private final long[] numbers = new long[Chunk.SLOTS];

  /**
   * Prepares operations.
   *
   * @param frequencies tells how selective equality on a column is
   * @param costs decide in which way each is found
   */
  Batch(List<Operation> all, Segment segment, Frequencies frequencies, Costs costs) {
    this.costs = costs;
    Map<Test, Atom> atoms = new HashMap<>();
    operations = new Prepared[all.size()];
    for (int i = 0; i < operations.length; i++) {
      operations[i] = prepared(all.get(i), segment, atoms);
    }
    index(segment, frequencies, atoms.values());
    bulkChanges = bulk(true);
    bulkQueries = bulk(false);
    noteTesting();
    indexes = report(segment);
  }

  private static Prepared prepared(Operation operation, Segment segment, Map<Test, Atom> atoms) {
    return new Prepared(
        operation,
        operation.tests().stream()
            .map(test -> atoms.computeIfAbsent(test, one -> one.atom(segment.schema())))
            .toArray(Atom[]::new));
  }

  private int[] bulk(boolean changes) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < operations.length; i++) {
      Operation operation = operations[i].operation;
      boolean wanted =
          changes ? operation instanceof Operation.Change : operation instanceof Operation.Query;
      if (wanted && !operations[i].isIndexed()) {
        places.add(i);
      }
    }
    return places.stream().mapToInt(Integer::intValue).toArray();
  }

  private void index(Segment segment, Frequencies frequencies, Collection<Atom> atoms) {
    share(segment.schema(), atoms);
    if (segment.size() == 0) {
      return;
    }
    Sample sample = new Sample(segment.chunk(segment.size() / 2));
    if (operations.length >= INDEXED_MIN) {
      hash(segment, frequencies, sample);
      range(sample);
      share(segment.schema(), atoms);
    }
    for (Prepared one : operations) {
      if (!one.isIndexed()) {
        sample.sort(one.atoms);
      }
    }
  }

  /** Notes which tests several operations have that are in no index, or are like others. */
  private void share(TableSchema schema, Collection<Atom> atoms) {
    atoms.forEach(Atom::forgetUses);
    for (Prepared one : operations) {
      if (!one.isIndexed()) {
        for (Atom atom : one.atoms) {
          atom.use(schema.column(atom.column()).type().widthBytes());
        }
      }
    }
    Map<Integer, Map<Long, Atom>> byColumn = new TreeMap<>();
    for (Atom atom : atoms) {
      if (atom.uses() > 0 && atom.isEquality()) {
        byColumn
            .computeIfAbsent(atom.column(), column -> new HashMap<>())
            .putIfAbsent(atom.low(), atom);
      }
    }
    for (Map<Long, Atom> alike : byColumn.values()) {
      double alone = alike.values().stream().mapToDouble(Atom::nanosAlone).sum();
      double together = costs.together(alike.size());
      if (alone > together) {
        Equalities equalities = new Equalities(List.copyOf(alike.values()), numbers);
        alike.values().forEach(atom -> atom.together(equalities, together));
      }
    }
  }

  private void hash(Segment segment, Frequencies frequencies, Sample sample) {
    HashChoice choice = new HashChoice(segment, frequencies, sample);
    for (int i = 0; i < operations.length; i++) {
      choice.add(i, operations[i].atoms);
    }
    hashed.addAll(choice.indexes(costs));
    for (HashIndex index : hashed) {
      index.places().forEach(place -> operations[place].indexedBy = index.columns());
    }
  }

  private void range(Sample sample) {
    Map<Integer, List<RangeIndex.Entry>> byColumn = new TreeMap<>();
    Map<Integer, Double> saved = new TreeMap<>();
    for (int i = 0; i < operations.length; i++) {
      Prepared one = operations[i];
      Optional<Atom> narrowest =
          one.isIndexed()
              ? Optional.empty()
              : Arrays.stream(one.atoms)
                  .filter(Atom::isInterval)
                  .min(Comparator.comparingDouble(sample::count));
      if (narrowest.isEmpty()) {
        continue;
      }
      sample.sort(one.atoms);
      Atom atom = narrowest.get();
      double saves = sample.nanosInBulk(one.atoms) - sample.count(atom) * Costs.CANDIDATE;
      if (saves > 0) {
        one.indexedBy = new int[] {atom.column()};
        saved.merge(atom.column(), saves, Double::sum);
        byColumn
            .computeIfAbsent(atom.column(), column -> new ArrayList<>())
            .add(new RangeIndex.Entry(atom.low(), atom.high(), i));
      }
    }
    byColumn.forEach((column, entries) -> range(column, entries, saved.get(column)));
  }

  private void range(int column, List<RangeIndex.Entry> entries, double saved) {
    RangeIndex index = saved < costs.tree() ? null : RangeIndex.of(column, entries, OVERLAP_MAX);
    if (index == null) {
      entries.forEach(entry -> operations[entry.operation()].indexedBy = NONE);
    } else {
      entries.forEach(entry -> operations[entry.operation()].inTree = true);
      ranged.add(index);
    }
  }

  /** Notes who tests the columns that some operation sets. */
  private void noteTesting() {
    Map<Integer, List<Integer>> byColumn = new HashMap<>();
    for (Prepared one : operations) {
      if (one.operation instanceof Operation.Change change) {
        for (int column : change.columns()) {
          byColumn.putIfAbsent(column, new ArrayList<>());
        }
      }
    }
    byColumn.forEach(
        (column, places) -> {
          for (int i = 0; i < operations.length; i++) {
            if (operations[i].mayTest(1L << column) && !operations[i].isIndexedBy(column)) {
              places.add(i);
            }
          }
          testing.put(column, places.stream().mapToInt(Integer::intValue).toArray());
        });
  }

  private CycleReport.Indexes report(Segment segment) {
    Map<int[], Integer> counts = new IdentityHashMap<>();
    Map<String, Integer> byTree = new TreeMap<>();
    int inBulk = 0;
    for (Prepared one : operations) {
      if (one.inTree) {
        byTree.merge(segment.schema().column(one.indexedBy[0]).name(), 1, Integer::sum);
      } else if (one.isIndexed()) {
        counts.merge(one.indexedBy, 1, Integer::sum);
      } else if (!(one.operation instanceof Operation.Insertion)) {
        inBulk++;
      }
    }
    Map<String, Integer> byHash = new TreeMap<>();
    counts.forEach((columns, count) -> byHash.put(names(segment, columns), count));
    return new CycleReport.Indexes(byHash, byTree, inBulk);
  }

  private static String names(Segment segment, int[] columns) {
    return Arrays.stream(columns)
        .mapToObj(column -> segment.schema().column(column).name())
        .collect(Collectors.joining(" and "));
  }

  CycleReport.Indexes indexes() {
    return indexes;
  }

  int size() {
    return operations.length;
  }

  Prepared operation(int place) {
    return operations[place];
  }

  List<HashIndex> hashed() {
    return hashed;
  }

  List<RangeIndex> ranged() {
    return ranged;
  }

  /** Returns the changes that are in no index. */
  int[] bulkChanges() {
    return bulkChanges;
  }

  /** Returns the queries that are in no index. */
  int[] bulkQueries() {
    return bulkQueries;
  }

  /** Returns the operations that test a column by which they are in no index, in order. */
  int[] testing(int column) {
    return testing.getOrDefault(column, new int[0]);
  }
}
