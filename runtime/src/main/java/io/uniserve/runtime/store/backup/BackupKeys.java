package io.uniserve.runtime.store.backup;

import io.uniserve.runtime.wire.cluster.KeptOutput;
import java.util.Optional;

/** Where everything is in a durable store. */
final class BackupKeys {
  private static final String DEFINITION = ".definition";
  private static final String DROPPED = ".dropped";
  private static final String SHAPE = ".shape-";

  private BackupKeys() {}

  /** One object for each cluster. */
  static final String MEMBERS = "members/";

  private static final String CLUSTERS = "clusters/";

  /** One object for each table of a cluster, and another for each that was dropped. */
  static String catalog(String cluster) {
    return CLUSTERS + cluster + "/catalog/";
  }

  static String definition(String cluster, long table) {
    return catalog(cluster) + table + DEFINITION;
  }

  static String dropped(String cluster, long table) {
    return catalog(cluster) + table + DROPPED;
  }

  /** One for each number of changes that a table's actors have had. */
  static String shape(String cluster, long table, int changes) {
    return catalog(cluster) + table + SHAPE + changes;
  }

  /** The table of which the object of this key tells how its actors were split and merged. */
  static Optional<Long> shapedTable(String key) {
    int suffix = nameOf(key).indexOf(SHAPE);
    return suffix < 0 ? Optional.empty() : table(key, nameOf(key).substring(suffix));
  }

  /** The table whose end the object of this key tells. */
  static Optional<Long> droppedTable(String key) {
    return table(key, DROPPED);
  }

  /** The table whose definition the object of this key is. */
  static Optional<Long> definedTable(String key) {
    return table(key, DEFINITION);
  }

  private static Optional<Long> table(String key, String suffix) {
    String name = nameOf(key);
    String number = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : "";
    return number.matches("\\d{1,18}") ? Optional.of(Long.parseLong(number)) : Optional.empty();
  }

  static String table(String cluster, long table) {
    return CLUSTERS + cluster + "/tables/" + table + "/";
  }

  /** All that plans keep for tables to be made of it; see {@link KeptOutput}. */
  static String kept(String cluster) {
    return CLUSTERS + KeptOutput.all(cluster);
  }

  /** The output that the object of this key is part of. */
  static Optional<KeptOutput> keptOutput(String cluster, String key) {
    String below = key.substring(kept(cluster).length());
    int end = below.indexOf('/');
    return end < 0
        ? Optional.empty()
        : KeptOutput.at(KeptOutput.all(cluster) + below.substring(0, end));
  }

  /** Tells who writes in the name of a cluster, and who wants to. */
  static String owners(String cluster) {
    return CLUSTERS + cluster + "/owners/";
  }

  /** Which life of a server leads in an epoch. */
  static String epochs(BackupPlace place) {
    return actor(place) + "epochs/";
  }

  static String history(BackupPlace place) {
    return actor(place) + "history/";
  }

  static String item(BackupPlace place, HistoryItem item) {
    return history(place) + item.name();
  }

  /** Manifests that nobody will choose any more, of whose files a restore may still be in need. */
  static String retired(BackupPlace place) {
    return actor(place) + "retired/";
  }

  static String objects(BackupPlace place) {
    return actor(place) + "objects/";
  }

  static String object(BackupPlace place, String name) {
    return objects(place) + name;
  }

  /** The last part of a key. */
  static String nameOf(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  private static String actor(BackupPlace place) {
    return table(place.cluster(), place.actor().table()) + place.actor().number() + "/";
  }
}
