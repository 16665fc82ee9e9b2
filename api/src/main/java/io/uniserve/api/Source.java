package io.uniserve.api;

import java.util.List;
import java.util.Optional;

/**
 * What an operator of a plan reads: a table, or what earlier operators materialised. Sources form a
 * directed acyclic graph; one that stands in it twice (the same object) is computed once.
 */
public sealed interface Source {

  /**
   * The actors of a table.
   *
   * @param name the table's name
   * @param keys which of its keys are read
   */
  record Table(String name, Keys keys) implements Source {}

  /**
   * The output of a map.
   *
   * @param input what is mapped
   * @param operator how
   */
  record Mapped(Source input, Operator.Map<?, ?> operator) implements Source {}

  /**
   * The output of a gather.
   *
   * @param inputs what is scattered to it
   * @param anchor the table whose actors stay in place and meet the chunks of their keys (QAS
   *     §3.2), if any; attributes of actors that its keys leave out are not gathered
   * @param operator how each attribute's chunks are combined
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
   * @param input what is scattered
   * @param operator how
   */
  record Scattered(Source input, Operator.Scatter<?> operator) {}

  /** All of a table. */
  static Table table(String name) {
    return new Table(name, Keys.ALL);
  }

  /** A table's actors that hold these keys. */
  static Table table(String name, Keys keys) {
    return new Table(name, keys);
  }
}
