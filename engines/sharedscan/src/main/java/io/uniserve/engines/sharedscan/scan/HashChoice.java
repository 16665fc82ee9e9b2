package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.data.Segment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The choice of the equalities by which operations are hashed: of one column or of two, by which it
 * takes less to find them than in bulk. Operations with a choice take the columns that most can
 * take, of these those that save most, so that there are few indexes, of which each has to save
 * more than it takes.
 */
final class HashChoice {
  /** The greatest share of records with one value of a column that is hashed without a sample. */
  private static final double RARE = 1.0 / 1024;

  /** The most combinations of values of one operation. */
  private static final int KEYS_MAX = 64;

  /**
   * The equalities by which an operation can be hashed, ordered by column.
   *
   * @param saved the nanoseconds that are saved of those that it takes in bulk for a chunk
   */
  private record Way(List<Integer> columns, List<Atom> atoms, double saved) {
    static Way of(Atom one, double saved) {
      return new Way(List.of(one.column()), List.of(one), saved);
    }

    static Way of(Atom one, Atom other, double saved) {
      return one.column() < other.column()
          ? new Way(List.of(one.column(), other.column()), List.of(one, other), saved)
          : of(other, one, saved);
    }
  }

  private final Segment segment;
  private final Frequencies frequencies;
  private final Sample sample;
  private final Map<Integer, List<Way>> ways = new TreeMap<>();
  private final Map<List<Integer>, Integer> counts = new HashMap<>();

  HashChoice(Segment segment, Frequencies frequencies, Sample sample) {
    this.segment = segment;
    this.frequencies = frequencies;
    this.sample = sample;
  }

  /** Considers an operation. Operations are added in their order. */
  void add(int place, Atom[] atoms) {
    List<Way> some = waysOf(atoms);
    if (!some.isEmpty()) {
      ways.put(place, some);
      some.forEach(way -> counts.merge(way.columns, 1, Integer::sum));
    }
  }

  private List<Way> waysOf(Atom[] atoms) {
    List<Atom> equalities = new ArrayList<>();
    for (Atom atom : atoms) {
      int keys = atom.keys().length;
      if (keys == 0) {
        continue;
      }
      double share = keys * frequencies.ofEqual(segment, atom.column());
      if (share < RARE) {
        return List.of(Way.of(atom, Costs.OPERATION + atom.nanos() - candidates(share)));
      }
      equalities.add(atom);
    }
    if (equalities.isEmpty()) {
      return List.of();
    }
    sample.sort(atoms);
    double inBulk = sample.nanosInBulk(atoms);
    List<Way> some = new ArrayList<>();
    for (int i = 0; i < equalities.size(); i++) {
      Atom one = equalities.get(i);
      some.add(Way.of(one, inBulk - sample.count(one) * Costs.CANDIDATE));
      for (Atom other : equalities.subList(i + 1, equalities.size())) {
        if (one.column() != other.column()
            && (long) one.keys().length * other.keys().length <= KEYS_MAX) {
          some.add(Way.of(one, other, inBulk - sample.count(one, other) * Costs.CANDIDATE));
        }
      }
    }
    return some.stream().filter(way -> way.saved > 0).toList();
  }

  private static double candidates(double share) {
    return share * Chunk.SLOTS * Costs.CANDIDATE;
  }

  /** Returns the indexes of those operations that can be hashed with enough others. */
  List<HashIndex> indexes(Costs costs) {
    Map<List<Integer>, List<Integer>> places = new HashMap<>();
    Map<List<Integer>, Double> saved = new HashMap<>();
    Map<Integer, Way> chosen = new HashMap<>();
    ways.forEach(
        (place, some) -> {
          Way best = some.getFirst();
          for (Way way : some) {
            int more = counts.get(way.columns) - counts.get(best.columns);
            best = more > 0 || more == 0 && way.saved > best.saved ? way : best;
          }
          chosen.put(place, best);
          places.computeIfAbsent(best.columns, columns -> new ArrayList<>()).add(place);
          saved.merge(best.columns, best.saved, Double::sum);
        });
    List<HashIndex> indexes = new ArrayList<>();
    places.forEach(
        (columns, some) -> {
          if (saved.get(columns) > costs.hash(columns.size())) {
            indexes.add(index(columns, some, chosen));
          }
        });
    return indexes;
  }

  private static HashIndex index(
      List<Integer> columns, List<Integer> places, Map<Integer, Way> chosen) {
    HashIndex index = new HashIndex(columns.stream().mapToInt(Integer::intValue).toArray());
    for (int place : places) {
      List<Atom> atoms = chosen.get(place).atoms;
      for (long first : atoms.getFirst().keys()) {
        if (atoms.size() == 1) {
          index.add(first, place);
        } else {
          for (long second : atoms.getLast().keys()) {
            index.add(HashIndex.together(first, second), place);
          }
        }
      }
    }
    index.finish();
    return index;
  }
}
