package io.uniserve.runtime.wire.ring;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import java.util.Optional;

/** A change of a ring (<i>Crescando/RB</i> §6.4). */
public sealed interface RingChange {
  /** Returns the identifier that the change makes, at which actors must be cut first. */
  default Optional<PartitionKey> cut() {
    return Optional.empty();
  }

  /** Returns the server that must take copies. */
  default Optional<String> receiver() {
    return Optional.empty();
  }

  /**
   * A server that is not on the ring gets an identifier.
   *
   * @param server the server
   * @param at its identifier
   */
  @Name("Expand")
  record Expand(String server, PartitionKey at) implements RingChange {
    @Override
    public Optional<PartitionKey> cut() {
      return Optional.of(at);
    }

    @Override
    public Optional<String> receiver() {
      return Optional.of(server);
    }
  }

  /**
   * A server leaves the ring. The one before it owns its keys from then on.
   *
   * @param server the server
   */
  @Name("Contract")
  record Contract(String server) implements RingChange {}

  /**
   * A server gives its identifier to one that is not on the ring.
   *
   * @param server the server that leaves
   * @param by the server that gets its identifier
   */
  @Name("Replace")
  record Replace(String server, String by) implements RingChange {
    @Override
    public Optional<String> receiver() {
      return Optional.of(by);
    }
  }

  /**
   * A server of the ring gets another identifier.
   *
   * @param server the server
   * @param at its new identifier
   */
  @Name("Rebalance")
  record Rebalance(String server, PartitionKey at) implements RingChange {
    @Override
    public Optional<PartitionKey> cut() {
      return Optional.of(at);
    }

    @Override
    public Optional<String> receiver() {
      return Optional.of(server);
    }
  }
}
