package io.uniserve.runtime.wire.ring;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A configuration of a ring: which server owns which keys (<i>Crescando/RB</i> §6.2). The last
 * server also owns the keys before the first identifier, so the ring is closed.
 *
 * @param members the servers in the order of their identifiers, each once; at least one
 */
public record Ring(List<RingMember> members) {
  /** Copies the list. */
  public Ring {
    members = List.copyOf(members);
  }

  /** Returns the servers from the owner of a place on, once around the ring. */
  public List<String> order(PartitionKey place) {
    int owner = members.size() - 1;
    while (owner > 0 && members.get(owner).at().compareTo(place) > 0) {
      owner--;
    }
    if (members.get(owner).at().compareTo(place) > 0) {
      owner = members.size() - 1;
    }
    List<String> order = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      order.add(members.get((owner + i) % members.size()).server());
    }
    return order;
  }

  /** Returns whether a server has an identifier. */
  public boolean has(String server) {
    return member(server).isPresent();
  }

  /** Returns whether a place is an identifier. */
  public boolean isIdentifier(PartitionKey place) {
    return members.stream().anyMatch(member -> member.at().equals(place));
  }

  private Optional<RingMember> member(String server) {
    return members.stream().filter(member -> member.server().equals(server)).findFirst();
  }

  /**
   * Returns the configuration after a change.
   *
   * @param copies the number of copies of each range, which the ring keeps as many servers for
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if this
   *     configuration does not allow the change
   */
  public Ring after(RingChange change, int copies) {
    List<RingMember> changed = new ArrayList<>(members);
    switch (change) {
      case RingChange.Expand expand -> {
        requireAbsent(expand.server());
        requireFree(expand.at());
        changed.add(new RingMember(expand.at(), expand.server()));
      }
      case RingChange.Contract contract -> {
        changed.remove(require(contract.server()));
        if (changed.size() < copies) {
          throw UniserveException.invalid(
              "server "
                  + contract.server()
                  + " cannot leave the ring: "
                  + copies
                  + " copies need as many servers");
        }
      }
      case RingChange.Replace replace -> {
        requireAbsent(replace.by());
        RingMember former = require(replace.server());
        changed.remove(former);
        changed.add(new RingMember(former.at(), replace.by()));
      }
      case RingChange.Rebalance rebalance -> {
        changed.remove(require(rebalance.server()));
        requireFree(rebalance.at());
        changed.add(new RingMember(rebalance.at(), rebalance.server()));
      }
    }
    changed.sort(Comparator.comparing(RingMember::at));
    return new Ring(changed);
  }

  private RingMember require(String server) {
    return member(server)
        .orElseThrow(
            () ->
                UniserveException.invalid(
                    "server "
                        + server
                        + " is not on the ring: "
                        + members.stream().map(RingMember::server).toList()));
  }

  private void requireAbsent(String server) {
    if (has(server)) {
      throw UniserveException.invalid("server " + server + " is on the ring already");
    }
  }

  private void requireFree(PartitionKey at) {
    members.stream()
        .filter(member -> member.at().equals(at))
        .findFirst()
        .ifPresent(
            member -> {
              throw UniserveException.invalid(
                  "server " + member.server() + " has that identifier already");
            });
  }
}
