package io.uniserve.sqlplanner;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Some of the inputs of inner joins, joined already.
 *
 * @param piece they
 * @param columns for each column of the piece, its number among the columns of all inputs
 * @param uniques sets of these numbers whose values no two rows share
 * @param values about how many different values columns have, by these numbers, as far as known
 * @param shares about what share of a column's values there are, by these numbers, if reductions
 *     have left others out
 * @param full about how many rows there would be without filters
 */
record Item(
    Piece piece,
    List<Integer> columns,
    List<ImmutableBitSet> uniques,
    Map<Integer, Double> values,
    Map<Integer, Double> shares,
    double full) {

  static Item of(Piece piece, RelNode original, int offset) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < piece.width(); i++) {
      columns.add(offset + i);
    }
    Set<ImmutableBitSet> unique = original.getCluster().getMetadataQuery().getUniqueKeys(original);
    List<ImmutableBitSet> uniques =
        unique == null ? List.of() : unique.stream().map(key -> key.shift(offset)).toList();
    Map<Integer, Double> values = new TreeMap<>();
    Map<Integer, Double> shares = new TreeMap<>();
    for (int i = 0; i < piece.width(); i++) {
      int column = offset + i;
      CatalogTable.distinct(original, i).ifPresent(count -> values.put(column, count));
      shares.put(column, Reductions.left(original, i));
    }
    return new Item(
        piece, columns, uniques, values, shares, Math.max(piece.rows(), largest(original)));
  }

  /** The rows of the largest table that something is computed of. */
  static double largest(RelNode rel) {
    return rel.getInputs().stream()
        .mapToDouble(Item::largest)
        .max()
        .orElseGet(() -> Splitter.rows(rel));
  }

  /**
   * This without the columns that are not among some; with one at least, since there is no table
   * without columns.
   */
  Item only(ImmutableBitSet read) {
    List<Integer> kept = new ArrayList<>(columns.stream().filter(read::get).toList());
    if (kept.isEmpty()) {
      kept.add(columns.getFirst());
    }
    if (kept.size() == columns.size()) {
      return this;
    }
    List<RexNode> expressions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int column : kept) {
      int place = columns.indexOf(column);
      expressions.add(RexInputRef.of(place, piece.rel().getRowType()));
      names.add(piece.rel().getRowType().getFieldNames().get(place));
    }
    RelNode rel = LogicalProject.create(piece.rel(), List.of(), expressions, names, Set.of());
    List<List<Integer>> keys =
        piece.keys().stream()
            .map(key -> key.stream().map(place -> kept.indexOf(columns.get(place))).toList())
            .filter(key -> !key.contains(-1))
            .toList();
    return new Item(
        new Piece(rel, piece.place(), keys, piece.rows()),
        List.copyOf(kept),
        uniques,
        values,
        shares,
        full);
  }

  ImmutableBitSet columnSet() {
    return ImmutableBitSet.of(columns);
  }

  /** Conditions on the columns of all inputs, as one on those of this and the other, in a row. */
  RexNode condition(Item right, List<RexNode> conditions) {
    List<Integer> both = new ArrayList<>(columns);
    both.addAll(right.columns);
    RexBuilder rex = piece.rel().getCluster().getRexBuilder();
    RexNode all = RexUtil.composeConjunction(rex, conditions);
    return all.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return new RexInputRef(both.indexOf(reference.getIndex()), reference.getType());
          }
        });
  }

  /** About how many rows a join has; where a key is met, those of the other side that meet it. */
  double rowsWith(Item right, RexNode condition) {
    JoinInfo info = JoinInfo.of(piece.rel(), right.piece.rel(), condition);
    double product = piece.rows() * right.piece.rows();
    if (info.leftKeys.isEmpty()) {
      return condition.isAlwaysTrue() ? product * product : product;
    }
    double met = Double.MAX_VALUE;
    if (right.isUnique(info.rightKeys)) {
      met = Math.min(piece.rows(), product / right.keysOf(info.rightKeys) / shareOf(info.leftKeys));
    }
    if (isUnique(info.leftKeys)) {
      double all = product / keysOf(info.leftKeys) / right.shareOf(info.rightKeys);
      met = Math.min(met, Math.min(right.piece.rows(), all));
    }
    if (met == Double.MAX_VALUE) {
      double most = Math.max(valuesOf(info.leftKeys), right.valuesOf(info.rightKeys));
      met = product / (most > 0 ? most : Math.sqrt(Math.min(full, right.full)));
    }
    return Math.max(1, met);
  }

  /** How many different values the most various of these columns has; 0 if that is not known. */
  private double valuesOf(List<Integer> places) {
    return places.stream()
        .mapToDouble(place -> values.getOrDefault(columns.get(place), 0.0))
        .max()
        .orElse(0);
  }

  /** How many different values a key has that may be met. */
  private double keysOf(List<Integer> places) {
    double counted = places.size() == 1 ? valuesOf(places) : 0;
    return counted > 0 ? counted : full;
  }

  /** What reductions have left of the values of these columns, which are as good as met. */
  private double shareOf(List<Integer> places) {
    return places.stream()
        .mapToDouble(place -> shares.getOrDefault(columns.get(place), 1.0))
        .min()
        .orElse(1);
  }

  private boolean isUnique(List<Integer> places) {
    ImmutableBitSet joined = ImmutableBitSet.of(places.stream().map(columns::get).toList());
    return uniques.stream().anyMatch(joined::contains);
  }

  /** This and the other, joined. */
  Item merged(Item right, Piece joined, RexNode condition) {
    JoinInfo info = JoinInfo.of(piece.rel(), right.piece.rel(), condition);
    List<ImmutableBitSet> kept = new ArrayList<>();
    if (right.isUnique(info.rightKeys)) {
      kept.addAll(uniques);
    }
    if (isUnique(info.leftKeys)) {
      kept.addAll(right.uniques);
    }
    List<Integer> both = new ArrayList<>(columns);
    both.addAll(right.columns);
    Map<Integer, Double> all = new TreeMap<>(values);
    all.putAll(right.values);
    Map<Integer, Double> unmet = new TreeMap<>(shares);
    unmet.putAll(right.shares);
    info.leftKeys.forEach(place -> unmet.remove(columns.get(place)));
    info.rightKeys.forEach(place -> unmet.remove(right.columns.get(place)));
    return new Item(joined, both, kept, all, unmet, Math.max(full, right.full));
  }
}
