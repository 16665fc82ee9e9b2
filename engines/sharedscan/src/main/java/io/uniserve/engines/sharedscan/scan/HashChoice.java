package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Segment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The choice of the equalities by which operations are hashed: of one column if few records have
 * the value, else of two that few records have together. Operations with a choice take the columns
 * that most can take, so that there are few indexes.
 */
final class HashChoice {
  /** An index of fewer operations takes longer than their evaluation in bulk. */
  private static final int OPERATIONS_MIN = 8;

  /** The greatest share of records for which an index should have to look at an operation. */
  private static final double SHARE_MAX = 1.0 / 256;

  /** The most combinations of values of one operation. */
  private static final int KEYS_MAX = 64;

  /** The equalities by which an operation can be hashed, ordered by column. */
  private record Way(List<Integer> columns, List<Atom> atoms) {
    static Way of(Atom one) {
      return new Way(List.of(one.column()), List.of(one));
    }

    static Way of(Atom one, Atom other) {
      return one.column() < other.column()
          ? new Way(List.of(one.column(), other.column()), List.of(one, other))
          : of(other, one);
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
      if (keys > 0 && keys * frequencies.ofEqual(segment, atom.column()) < SHARE_MAX) {
        return List.of(Way.of(atom));
      }
      if (keys > 0) {
        equalities.add(atom);
      }
    }
    List<Way> some = new ArrayList<>();
    for (int i = 0; i < equalities.size(); i++) {
      Atom one = equalities.get(i);
      if (sample.share(one) < SHARE_MAX) {
        some.add(Way.of(one));
      }
      for (Atom other : equalities.subList(i + 1, equalities.size())) {
        if (one.column() != other.column()
            && (long) one.keys().length * other.keys().length <= KEYS_MAX
            && sample.share(one, other) < SHARE_MAX) {
          some.add(Way.of(one, other));
        }
      }
    }
    return some;
  }

  /** Returns the indexes of those operations that can be hashed with enough others. */
  List<HashIndex> indexes() {
    Map<List<Integer>, List<Integer>> places = new HashMap<>();
    Map<Integer, Way> chosen = new HashMap<>();
    ways.forEach(
        (place, some) -> {
          Way best = some.getFirst();
          for (Way way : some) {
            best = counts.get(way.columns) > counts.get(best.columns) ? way : best;
          }
          chosen.put(place, best);
          places.computeIfAbsent(best.columns, columns -> new ArrayList<>()).add(place);
        });
    List<HashIndex> indexes = new ArrayList<>();
    places.forEach(
        (columns, some) -> {
          if (some.size() >= OPERATIONS_MIN) {
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
