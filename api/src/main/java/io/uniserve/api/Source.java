package io.uniserve.api;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import java.util.List;
import java.util.Optional;

/**
 * The input of an operator in a plan: a table, or datasets that earlier operators materialised.
 * Sources form a directed acyclic graph. A source that occurs in it twice (the same object) is
 * computed once.
 */
public sealed interface Source {

  /**
   * The actors of a table.
   *
   * @param name the table's name
   * @param keys the keys to read
   */
  record Table(String name, Keys keys) implements Source {}

  /**
   * The output of a map.
   *
   * @param input the data to map
   * @param operator the map
   */
  record Mapped(Source input, Operator.Map<?, ?> operator) implements Source {}

  /**
   * The output of a gather.
   *
   * @param inputs the scattered inputs
   * @param anchor the table whose actors stay in place and meet the chunks of their keys (QAS
   *     §3.2), if any; attributes that belong to actors outside its keys are not gathered
   * @param operator the gather, which combines each attribute's chunks
   */
  record Gathered(List<Scattered> inputs, Optional<Table> anchor, Operator.Gather<?, ?> operator)
      implements Source {
    /** Copies the inputs; there must be at least one. */
    public Gathered {
      inputs = List.copyOf(inputs);
      if (inputs.isEmpty()) {
        throw UniserveException.invalid("a gather needs at least one scattered input");
      }
    }
  }

  /**
   * One input of a gather.
   *
   * @param input the data to scatter
   * @param operator the scatter
   */
  record Scattered(Source input, Operator.Scatter<?> operator) {}

  /** Makes a source of all actors of a table. */
  static Table table(String name) {
    return new Table(name, Keys.ALL);
  }

  /** Makes a source of the actors of a table that hold these keys. */
  static Table table(String name, Keys keys) {
    return new Table(name, keys);
  }
}
