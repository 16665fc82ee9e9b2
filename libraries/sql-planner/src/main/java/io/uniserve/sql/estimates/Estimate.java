package io.uniserve.sql.estimates;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * An estimate of a number of rows and of their values. It assumes that values are equally frequent
 * and columns independent.
 *
 * @param rows the estimated number of rows, at least one
 * @param full the number of rows of the largest table that they are computed from
 * @param columns an estimate of each column
 * @param keys the sets of columns whose values no two rows share
 */
record Estimate(double rows, double full, List<ColumnEstimate> columns, List<Key> keys) {
  /** The assumed number of values of an unknown column if other columns are equated as well. */
  private static final double UNKNOWN_DOMAIN = 4;

  /**
   * A set of columns whose values no two rows share.
   *
   * @param columns the columns
   * @param domain the estimated number of distinct values before any row was left out
   */
  record Key(ImmutableBitSet columns, double domain) {
    /**
     * Returns the key after a projection.
     *
     * @param from the former column of each new column, with all columns of the key among them
     */
    Key at(List<Integer> from) {
      return new Key(
          ImmutableBitSet.of(columns.asList().stream().map(from::indexOf).toList()), domain);
    }

    private boolean isOfSeveral(List<ColumnPair> pairs) {
      return columns.cardinality() > 1
          && ImmutableBitSet.of(pairs.stream().map(ColumnPair::right).toList()).contains(columns);
    }
  }

  Estimate {
    rows = Math.max(1, rows);
    full = Math.max(rows, full);
    columns = List.copyOf(columns);
    keys = List.copyOf(keys);
  }

  /** Makes an estimate from a number of rows alone. */
  static Estimate of(double rows, int width) {
    List<ColumnEstimate> unknown = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      unknown.add(ColumnEstimate.UNKNOWN);
    }
    return new Estimate(rows, rows, unknown, List.of());
  }

  /**
   * Returns the estimate with some of the columns, in this order; -1 stands for an unknown column.
   */
  Estimate only(List<Integer> kept) {
    List<Key> left = new ArrayList<>();
    for (Key key : keys) {
      if (kept.containsAll(key.columns.asList())) {
        left.add(key.at(kept));
      }
    }
    return new Estimate(rows, full, kept.stream().map(this::columnOrUnknown).toList(), left);
  }

  /** Returns the estimate with at least a number of rows. */
  Estimate atLeast(double least) {
    return rows < least ? new Estimate(least, full, columns, keys) : this;
  }

  private ColumnEstimate columnOrUnknown(int column) {
    return column < 0 ? ColumnEstimate.UNKNOWN : column(column);
  }

  ColumnEstimate column(int column) {
    return columns.get(column);
  }

  /** Returns the estimate of a random share of the rows. */
  Estimate among(double share) {
    double left = Math.max(1, rows * share);
    List<ColumnEstimate> now = columns.stream().map(one -> one.among(rows, left)).toList();
    return new Estimate(left, full, now, keys);
  }

  /**
   * Returns the estimate of the rows with a share of a column's values, independently of other
   * columns.
   */
  Estimate filtered(int column, double share) {
    return among(share).with(column, column(column).filtered(share));
  }

  /**
   * Returns the estimate of the rows with the share of a column's values that it will be joined
   * with.
   */
  Estimate reduced(int column, double share) {
    return among(share).with(column, column(column).reduced(share));
  }

  private Estimate with(int column, ColumnEstimate other) {
    List<ColumnEstimate> now = new ArrayList<>(columns);
    now.set(column, other);
    return new Estimate(rows, full, now, keys);
  }

  /**
   * Returns the share of the rows that match other rows.
   *
   * @param column the column whose value must be among the others'
   */
  double met(int column, Estimate others, int theirs) {
    ColumnEstimate mine = column(column);
    ColumnEstimate met = others.column(theirs);
    double domain = Math.max(mine.domain(), met.domain()) * mine.share();
    double values = met.values() > 0 ? met.values() : others.rows;
    return domain > 0 ? Math.min(1, values / domain) : 1;
  }

  /**
   * Returns the estimate of an inner join.
   *
   * @param pairs the columns that are equated
   */
  Estimate joined(Estimate right, List<ColumnPair> pairs) {
    double met = rows * right.rows / domain(right, pairs);
    boolean rightOnce = right.isUnique(pairs.stream().map(ColumnPair::right).toList());
    boolean leftOnce = isUnique(pairs.stream().map(ColumnPair::left).toList());
    if (rightOnce) {
      met = Math.min(met, rows);
    }
    if (leftOnce) {
      met = Math.min(met, right.rows);
    }
    met = Math.max(1, met);
    List<ColumnEstimate> both = new ArrayList<>();
    for (ColumnEstimate column : columns) {
      both.add(column.among(rows, met));
    }
    for (ColumnEstimate column : right.columns) {
      both.add(column.among(right.rows, met));
    }
    int width = columns.size();
    for (ColumnPair pair : pairs) {
      ColumnEstimate equal = both.get(pair.left()).met(both.get(width + pair.right()));
      both.set(pair.left(), equal);
      both.set(width + pair.right(), equal);
    }
    List<Key> unique = new ArrayList<>();
    if (rightOnce) {
      unique.addAll(keys);
    }
    if (leftOnce) {
      right.keys.forEach(key -> unique.add(new Key(key.columns.shift(width), key.domain)));
    }
    return new Estimate(met, Math.max(full, right.full), both, unique);
  }

  /**
   * Returns the number of combinations of the pairs' values. If several of the columns form a key,
   * its combinations count.
   */
  private double domain(Estimate right, List<ColumnPair> pairs) {
    List<ColumnPair> swapped = pairs.stream().map(ColumnPair::swapped).toList();
    Optional<Key> key = keys.stream().filter(one -> one.isOfSeveral(swapped)).findFirst();
    if (key.isPresent()) {
      return right.domain(this, swapped, key.get());
    }
    key = right.keys.stream().filter(one -> one.isOfSeveral(pairs)).findFirst();
    return key.isPresent() ? domain(right, pairs, key.get()) : domain(right, pairs, 1);
  }

  private double domain(Estimate right, List<ColumnPair> pairs, Key key) {
    Predicate<ColumnPair> held = pair -> key.columns.get(pair.right());
    double share = 1;
    for (ColumnPair pair : pairs.stream().filter(held).toList()) {
      share = Math.min(share, share(right, pair));
    }
    List<ColumnPair> others = pairs.stream().filter(held.negate()).toList();
    return domain(right, others, Math.max(1, key.domain * share));
  }

  /** Returns the number of combinations with those of further pairs. */
  private double domain(Estimate right, List<ColumnPair> pairs, double before) {
    double domain = before;
    List<ColumnPair> unknown = new ArrayList<>();
    for (ColumnPair pair : pairs) {
      double mine = column(pair.left()).domain();
      double other = right.column(pair.right()).domain();
      if (mine > 0 && other > 0) {
        domain *= Math.max(1, Math.max(mine, other) * share(right, pair));
      } else {
        unknown.add(pair);
      }
    }
    for (ColumnPair pair : unknown) {
      // such as the least of a group: it depends on the other equated columns, if there are any
      domain *= domain > 1 ? UNKNOWN_DOMAIN : unknownDomain(right, pair);
    }
    return domain;
  }

  private double unknownDomain(Estimate right, ColumnPair pair) {
    double most = Math.max(column(pair.left()).domain(), right.column(pair.right()).domain());
    return Math.max(1, most > 0 ? most : Math.sqrt(Math.min(full, right.full)));
  }

  /** Returns the share of the common values that a reduction of one side by the other has left. */
  private double share(Estimate right, ColumnPair pair) {
    return Math.min(column(pair.left()).share(), right.column(pair.right()).share());
  }

  private boolean isUnique(List<Integer> joined) {
    ImmutableBitSet all = ImmutableBitSet.of(joined);
    return keys.stream().anyMatch(key -> all.contains(key.columns));
  }
}
