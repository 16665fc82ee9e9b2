package io.uniserve.runtime.control.log;

import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The order of updates of every table that has had one. It is part of the replicated state: it is
 * the same on every controller at the same place of the log, which alone gives numbers. For one
 * thread at a time.
 */
public final class Orders {
  private final NavigableMap<Long, TableOrder> tables = new TreeMap<>();

  static Orders of(List<TableOrder.Stored> stored) {
    Orders orders = new Orders();
    stored.forEach(table -> orders.tables.put(table.table(), TableOrder.of(table)));
    return orders;
  }

  List<TableOrder.Stored> stored() {
    return tables.entrySet().stream()
        .map(table -> table.getValue().stored(table.getKey()))
        .toList();
  }

  /**
   * Changes the order of a table.
   *
   * @return the updates that were placed
   */
  List<OrderedUpdate> apply(OrderChange change) {
    return switch (change) {
      case OrderChange.Placed placed -> List.of(begun(placed.table()).place(placed));
      case OrderChange.OfSession updates -> begun(updates.table()).place(updates);
      case OrderChange.Settled settled -> {
        table(settled.table()).ifPresent(order -> order.settle(settled.number()));
        yield List.of();
      }
      case OrderChange.Dropped dropped -> {
        table(dropped.table()).ifPresent(order -> order.drop(dropped.number()));
        yield List.of();
      }
    };
  }

  private TableOrder begun(long table) {
    return tables.computeIfAbsent(table, absent -> new TableOrder());
  }

  /**
   * Applies a record: the order of a dropped table is forgotten, and that of split or merged actors
   * continues in their successors.
   */
  void apply(ControlRecord record) {
    switch (record) {
      case ControlRecord.TableDropped dropped -> tables.remove(dropped.table());
      case ControlRecord.TableRecovered recovered -> tables.remove(recovered.former());
      case ControlRecord.ActorSplit split ->
          table(split.actor().table())
              .ifPresent(order -> order.split(split.actor().number(), split.cut().into()));
      case ControlRecord.ActorsMerged merged ->
          table(merged.table())
              .ifPresent(
                  order ->
                      order.merge(
                          merged.merge().first(), merged.merge().second(), merged.merge().into()));
      default -> {
        // no other record concerns an order
      }
    }
  }

  public Optional<TableOrder> table(long table) {
    return Optional.ofNullable(tables.get(table));
  }

  public NavigableMap<Long, TableOrder> tables() {
    return Collections.unmodifiableNavigableMap(tables);
  }
}
