package io.uniserve.runtime.store;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.Position;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the backups of actors are in a durable store. Manifests are named so that their order by
 * key is their order by position.
 */
final class BackupKeys {
  private static final Pattern MANIFEST = Pattern.compile(".*/(\\d{19})-(\\d{19})");

  private BackupKeys() {}

  static String table(long table) {
    return "tables/" + table + "/";
  }

  static String manifests(ActorId actor) {
    return actorOf(actor) + "manifests/";
  }

  static String objects(ActorId actor) {
    return actorOf(actor) + "objects/";
  }

  static String manifest(ActorId actor, Position position) {
    return manifests(actor)
        + String.format(Locale.ROOT, "%019d-%019d", position.epoch(), position.sequence());
  }

  static String object(ActorId actor, String sha256) {
    return objects(actor) + sha256;
  }

  /** The position of the backup whose manifest has this key; empty for any other key. */
  static Optional<Position> positionOf(String key) {
    Matcher matcher = MANIFEST.matcher(key);
    return matcher.matches()
        ? Optional.of(
            new Position(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  private static String actorOf(ActorId actor) {
    return table(actor.table()) + actor.number() + "/";
  }
}
