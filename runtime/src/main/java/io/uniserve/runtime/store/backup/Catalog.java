package io.uniserve.runtime.store.backup;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Form;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The tables that the durable store knows, those of other clusters and dropped ones included. It
 * has everything that is needed to restore a table when nothing else is left of its cluster.
 */
public final class Catalog {
  private static final int SIZE_BYTES_MAX = 16 << 20;
  static final Form FORM =
      Forms.of("the catalog in the durable store", Definition.class, End.class, Shape.class);

  private final DurableStore store;
  private final Clock clock;
  private final Duration grace;
  private final Set<String> defined = new ConcurrentSkipListSet<>();

  Catalog(DurableStore store, Clock clock, Duration grace) {
    this.store = store;
    this.clock = clock;
    this.grace = grace;
  }

  /** A table's definition, and when it was first backed up. */
  @Name("Definition")
  record Definition(TableDefinition definition, long createdMillis) {}

  /** The time at which a table was dropped. */
  @Name("End")
  record End(long droppedMillis) {}

  /** The splits and merges of a table's actors. */
  @Name("Shape")
  record Shape(Partitioner.Refined partitioner) {}

  /** Stores the splits and merges of a table's actors, unless they are there. */
  public void reshape(String cluster, long table, Partitioner.Refined partitioner) {
    String key = BackupKeys.shape(cluster, table, partitioner.changes().size());
    if (!defined.contains(key)) {
      store.putIfAbsent(key, Content.of(FORM.encode(new Shape(partitioner))));
      defined.add(key);
    }
  }

  /** Stores a table's definition. */
  public void define(String cluster, long table, TableDefinition definition) {
    String key = BackupKeys.definition(cluster, table);
    if (!defined.contains(key)) {
      store.putIfAbsent(BackupKeys.MEMBERS + cluster, Content.of(new byte[0]));
      store.putIfAbsent(
          key, Content.of(FORM.encode(new Definition(definition, clock.now().toEpochMilli()))));
      defined.add(key);
    }
  }

  /** Records that a table was dropped. It can be restored until its retention has passed. */
  public void drop(String cluster, long table, TableDefinition definition) {
    if (definition.retention().isZero()) {
      delete(cluster, table);
      return;
    }
    define(cluster, table, definition);
    byte[] bytes = FORM.encode(new End(clock.now().toEpochMilli()));
    store.putIfAbsent(BackupKeys.dropped(cluster, table), Content.of(bytes));
  }

  /** Returns all tables, cluster by cluster. */
  public List<StoredTable> tables() {
    return tables(Long.MAX_VALUE);
  }

  /**
   * Returns all tables, cluster by cluster.
   *
   * @param asOfMillis the moment whose actors they have, in milliseconds since 1970
   */
  public List<StoredTable> tables(long asOfMillis) {
    Map<String, StoredTable> tables = new TreeMap<>();
    Map<String, Long> ends = new TreeMap<>();
    List<String> keys = new ArrayList<>();
    clusters().forEach(cluster -> store.list(BackupKeys.catalog(cluster), o -> keys.add(o.key())));
    for (String key : keys) {
      String cluster = clusterOf(key);
      BackupKeys.definedTable(key)
          .ifPresent(id -> tables.put(cluster + "/" + id, defined(cluster, id, key)));
      BackupKeys.droppedTable(key)
          .ifPresent(id -> ends.put(cluster + "/" + id, read(key, End.class).droppedMillis()));
    }
    for (String key : keys) {
      BackupKeys.shapedTable(key)
          .map(id -> clusterOf(key) + "/" + id)
          .ifPresent(
              name ->
                  tables.computeIfPresent(
                      name, (same, table) -> shaped(table, read(key, Shape.class), asOfMillis)));
    }
    ends.forEach(
        (name, millis) ->
            tables.computeIfPresent(
                name,
                (same, table) ->
                    new StoredTable(
                        table.cluster(),
                        table.id(),
                        table.definition(),
                        table.createdMillis(),
                        Optional.of(millis))));
    return List.copyOf(tables.values());
  }

  private static StoredTable shaped(StoredTable table, Shape shape, long asOfMillis) {
    Partitioner then = shape.partitioner().asOf(asOfMillis);
    return then.actors() <= table.definition().actors()
        ? table
        : new StoredTable(
            table.cluster(),
            table.id(),
            table.definition().withPartitioner(then),
            table.createdMillis(),
            table.droppedMillis());
  }

  private StoredTable defined(String cluster, long id, String key) {
    Definition known = read(key, Definition.class);
    return new StoredTable(
        cluster, id, known.definition(), known.createdMillis(), Optional.empty());
  }

  /**
   * Deletes the backups of the tables of a cluster whose retention has passed since their end.
   *
   * @param version the version of cluster state: all tables with identities up to it are known
   * @param existing the tables that exist
   */
  public void collect(String cluster, long version, Set<Long> existing) {
    long nowMillis = clock.now().toEpochMilli();
    for (StoredTable table : tables()) {
      long kept = table.definition().retention().plus(grace).toMillis();
      boolean over = table.droppedMillis().filter(end -> nowMillis - end > kept).isPresent();
      if (table.cluster().equals(cluster) && over) {
        delete(cluster, table.id());
      } else if (table.cluster().equals(cluster)
          && table.id() <= version
          && !existing.contains(table.id())) {
        drop(cluster, table.id(), table.definition());
      }
    }
  }

  /** Deletes everything that the store has of a table. */
  private void delete(String cluster, long table) {
    store.list(BackupKeys.table(cluster, table), object -> store.delete(object.key()));
    List<String> shapes = new ArrayList<>();
    store.list(BackupKeys.catalog(cluster), object -> shapes.add(object.key()));
    shapes.stream()
        .filter(key -> BackupKeys.shapedTable(key).filter(id -> id == table).isPresent())
        .forEach(store::delete);
    store.delete(BackupKeys.definition(cluster, table));
    store.delete(BackupKeys.dropped(cluster, table));
  }

  private List<String> clusters() {
    List<String> clusters = new ArrayList<>();
    store.list(BackupKeys.MEMBERS, object -> clusters.add(BackupKeys.nameOf(object.key())));
    return clusters;
  }

  private static String clusterOf(String key) {
    return key.split("/")[1];
  }

  private <T> T read(String key, Class<T> type) {
    try {
      return FORM.decode(ByteBuffer.wrap(store.get(key, SIZE_BYTES_MAX)), type);
    } catch (UniserveException e) {
      throw StoreFailures.undecodable(key, e);
    }
  }
}
