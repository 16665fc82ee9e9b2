package io.uniserve.runtime.store.backup;

import io.uniserve.runtime.wire.cluster.KeptOutput;
import java.util.Optional;

/** The keys of all objects in a durable store. */
final class BackupKeys {
  private static final String DEFINITION = ".definition";
  private static final String DROPPED = ".dropped";
  private static final String SHAPE = ".shape-";

  private BackupKeys() {}

  /** The prefix of the objects of clusters, one for each. */
  static final String MEMBERS = "members/";

  private static final String CLUSTERS = "clusters/";

  /**
   * Returns the prefix of a cluster's tables: one object for each, and another for each that was
   * dropped.
   */
  static String catalog(String cluster) {
    return CLUSTERS + cluster + "/catalog/";
  }

  static String definition(String cluster, long table) {
    return catalog(cluster) + table + DEFINITION;
  }

  static String dropped(String cluster, long table) {
    return catalog(cluster) + table + DROPPED;
  }

  /** Returns the key of a table's shape after a number of splits and merges. */
  static String shape(String cluster, long table, int changes) {
    return catalog(cluster) + table + SHAPE + changes;
  }

  /** Returns the table whose splits and merges the object of this key records. */
  static Optional<Long> shapedTable(String key) {
    int suffix = nameOf(key).indexOf(SHAPE);
    return suffix < 0 ? Optional.empty() : table(key, nameOf(key).substring(suffix));
  }

  /** Returns the table whose end the object of this key records. */
  static Optional<Long> droppedTable(String key) {
    return table(key, DROPPED);
  }

  /** Returns the table whose definition the object of this key is. */
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

  /** Returns the prefix of all outputs that plans have kept; see {@link KeptOutput}. */
  static String kept(String cluster) {
    return CLUSTERS + KeptOutput.all(cluster);
  }

  /** Returns the output that the object of this key is part of. */
  static Optional<KeptOutput> keptOutput(String cluster, String key) {
    String below = key.substring(kept(cluster).length());
    int end = below.indexOf('/');
    return end < 0
        ? Optional.empty()
        : KeptOutput.at(KeptOutput.all(cluster) + below.substring(0, end));
  }

  /**
   * Returns the prefix of the objects that name who writes in the name of a cluster, and who wants
   * to.
   */
  static String owners(String cluster) {
    return CLUSTERS + cluster + "/owners/";
  }

  /** Returns the prefix of the objects that name the life of a server that leads in an epoch. */
  static String epochs(BackupPlace place) {
    return actor(place) + "epochs/";
  }

  static String history(BackupPlace place) {
    return actor(place) + "history/";
  }

  static String item(BackupPlace place, HistoryItem item) {
    return history(place) + item.name();
  }

  /**
   * Returns the prefix of manifests that nobody will choose any more, but whose files a running
   * restore may still need.
   */
  static String retired(BackupPlace place) {
    return actor(place) + "retired/";
  }

  static String objects(BackupPlace place) {
    return actor(place) + "objects/";
  }

  static String object(BackupPlace place, String name) {
    return objects(place) + name;
  }

  /** Returns the last part of a key. */
  static String nameOf(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  private static String actor(BackupPlace place) {
    return table(place.cluster(), place.actor().table()) + place.actor().number() + "/";
  }
}
