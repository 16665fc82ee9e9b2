package io.uniserve.runtime.store;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.Manifest.StoredFile;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Backups of actors in the durable store (DPA §4.3), whose cost is that of what changed. Each file
 * is an object named by its SHA-256, uploaded only if the actor's last backup did not have it; a
 * manifest that names all files is written last, and makes the backup exist.
 *
 * <p>Only the primary of an actor backs it up. A deposed primary that has not noticed yet can do no
 * harm: its backups have an older epoch, and so never are the latest, and {@link #prune} leaves
 * objects alone that were written lately. Safe for use by many threads; work on one actor is done
 * one after another.
 */
public final class ActorBackups {
  /** How many backups of an actor {@link #prune} keeps. */
  public static final int KEPT = 2;

  /**
   * How old an object without a manifest must be before it is deleted: longer than any backup
   * takes, and than any two clocks differ.
   */
  public static final Duration GRACE = Duration.ofHours(1);

  private static final class ActorState {
    private final ReentrantLock lock = new ReentrantLock();
    private final KnownChecksums checksums = new KnownChecksums();
    private final Set<String> stored = new ConcurrentSkipListSet<>();
    private Optional<Long> epoch = Optional.empty();
  }

  private final DurableStore store;
  private final Environment environment;
  private final Map<ActorId, ActorState> states = new ConcurrentHashMap<>();

  /** Backups in this store. */
  public ActorBackups(DurableStore store, Environment environment) {
    this.store = store;
    this.environment = environment;
  }

  /**
   * Saves a directory as the actor's backup at a position. Returns once it is in the store.
   *
   * @param position of the last update in the directory
   * @param directory as {@link io.uniserve.api.Actor#serialize} wrote it; unchanged until the
   *     return
   * @throws UniserveException as of {@link DurableStore}; the former backups remain
   */
  public BackupReceipt backup(ActorId actor, Position position, Path directory) {
    ActorState state = states.computeIfAbsent(actor, absent -> new ActorState());
    state.lock.lock();
    try {
      learnStored(actor, state, position.epoch());
      List<StoredFile> files = describeFiles(directory, state.checksums);
      BackupReceipt receipt = upload(actor, position, files, directory, state);
      Manifest manifest = new Manifest(Manifest.VERSION, actor, position, nowMillis(), files);
      store.put(BackupKeys.manifest(actor, position), Content.of(manifest.encode()));
      return receipt;
    } catch (RuntimeException e) {
      state.epoch = Optional.empty();
      throw e;
    } finally {
      state.lock.unlock();
    }
  }

  /** The positions of all backups of an actor, ascending. */
  public List<Position> positions(ActorId actor) {
    List<Position> positions = new ArrayList<>();
    store.list(
        BackupKeys.manifests(actor),
        object -> BackupKeys.positionOf(object.key()).ifPresent(positions::add));
    return positions;
  }

  /**
   * Restores the latest backup.
   *
   * @param target an empty directory, or none yet; to be deleted by the caller after a failure
   * @return the position of the last update in it; empty if the actor was never backed up
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if anything is missing or damaged
   */
  public Optional<Position> restore(ActorId actor, Path target) {
    List<Position> positions = positions(actor);
    if (positions.isEmpty()) {
      return Optional.empty();
    }
    restore(actor, positions.getLast(), target);
    return Optional.of(positions.getLast());
  }

  /** Restores one of the backups that {@link #positions} names. Otherwise like the other form. */
  public void restore(ActorId actor, Position position, Path target) {
    Manifest manifest = read(actor, position);
    requireEmpty(target);
    Transfers.forEach(environment, manifest.files(), file -> fetch(actor, file, target));
  }

  /**
   * Deletes all backups but the last {@value #KEPT}, and the objects that no manifest names and
   * that are older than {@link #GRACE}. To be called after a backup, by whoever made it.
   */
  public void prune(ActorId actor) {
    ActorState state = states.computeIfAbsent(actor, absent -> new ActorState());
    state.lock.lock();
    try {
      List<Position> positions = positions(actor);
      int kept = Math.min(KEPT, positions.size());
      for (Position old : positions.subList(0, positions.size() - kept)) {
        store.delete(BackupKeys.manifest(actor, old));
      }
      Set<String> referenced = new TreeSet<>();
      for (Position position : positions.subList(positions.size() - kept, positions.size())) {
        referenced.addAll(read(actor, position).checksums());
      }
      state.stored.retainAll(referenced);
      deleteUnreferenced(actor, referenced);
    } finally {
      state.lock.unlock();
    }
  }

  /** Forgets what is remembered of an actor whose primary is elsewhere now. */
  public void forget(ActorId actor) {
    states.remove(actor);
  }

  /** Deletes the backups of all actors of a table that was dropped. */
  public void deleteTable(long table) {
    store.list(BackupKeys.table(table), object -> store.delete(object.key()));
  }

  /**
   * Within one epoch nobody else prunes, so that what was stored once remains; with a new epoch,
   * only what the latest manifest names is sure to remain.
   */
  private void learnStored(ActorId actor, ActorState state, long epoch) {
    if (state.epoch.equals(Optional.of(epoch))) {
      return;
    }
    state.stored.clear();
    List<Position> positions = positions(actor);
    if (!positions.isEmpty()) {
      state.stored.addAll(read(actor, positions.getLast()).checksums());
    }
    state.epoch = Optional.of(epoch);
  }

  private List<StoredFile> describeFiles(Path directory, KnownChecksums checksums) {
    checksums.begin();
    Instant now = environment.clock().now();
    try (Stream<Path> paths = Files.walk(directory)) {
      List<StoredFile> files = new ArrayList<>();
      for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
        files.add(
            new StoredFile(nameOf(directory, path), Files.size(path), checksums.of(path, now)));
      }
      return files;
    } catch (IOException e) {
      throw StoreFailures.of(e, "read " + directory);
    }
  }

  private static String nameOf(Path directory, Path path) {
    List<String> parts = new ArrayList<>();
    directory.relativize(path).forEach(part -> parts.add(part.toString()));
    return String.join("/", parts);
  }

  private BackupReceipt upload(
      ActorId actor, Position position, List<StoredFile> files, Path directory, ActorState state) {
    Map<String, StoredFile> missing = new LinkedHashMap<>();
    files.stream()
        .filter(file -> !state.stored.contains(file.sha256()))
        .forEach(file -> missing.putIfAbsent(file.sha256(), file));
    Transfers.forEach(
        environment,
        List.copyOf(missing.values()),
        file -> {
          Path path = directory.resolve(file.name());
          store.put(
              BackupKeys.object(actor, file.sha256()),
              new Content.File(path, file.sizeBytes(), file.sha256()));
          state.stored.add(file.sha256());
        });
    return new BackupReceipt(
        position, files.size(), sizeOf(files), missing.size(), sizeOf(missing.values()));
  }

  private static long sizeOf(Iterable<StoredFile> files) {
    long size = 0;
    for (StoredFile file : files) {
      size += file.sizeBytes();
    }
    return size;
  }

  private Manifest read(ActorId actor, Position position) {
    String key = BackupKeys.manifest(actor, position);
    Manifest manifest = Manifest.decode(store.get(key, Manifest.SIZE_BYTES_MAX), key);
    if (!manifest.actor().equals(actor) || !manifest.position().equals(position)) {
      throw StoreFailures.corrupt(
          key, "it is the manifest of " + manifest.actor() + " at " + manifest.position());
    }
    return manifest;
  }

  private static void requireEmpty(Path target) {
    try {
      Files.createDirectories(target);
      try (Stream<Path> children = Files.list(target)) {
        if (children.findAny().isPresent()) {
          throw UniserveException.invalid("restore into " + target + ": it is not empty");
        }
      }
    } catch (IOException e) {
      throw StoreFailures.of(e, "restore into " + target);
    }
  }

  private void fetch(ActorId actor, StoredFile file, Path target) {
    String key = BackupKeys.object(actor, file.sha256());
    Path path = target.resolve(file.name());
    try {
      Files.createDirectories(path.getParent());
      String found = store.get(key, path);
      if (!found.equals(file.sha256()) || Files.size(path) != file.sizeBytes()) {
        throw StoreFailures.corrupt(key, "it is not the file " + file.name() + " of the manifest");
      }
    } catch (IOException e) {
      throw StoreFailures.of(e, "restore " + path);
    } catch (UniserveException e) {
      throw e.code() == ErrorCode.NOT_FOUND
          ? StoreFailures.corrupt(key, "the file " + file.name() + " of a backup is missing")
          : e;
    }
  }

  private void deleteUnreferenced(ActorId actor, Set<String> referenced) {
    Instant before = environment.clock().now().minus(GRACE);
    String prefix = BackupKeys.objects(actor);
    store.list(
        prefix,
        object -> {
          String checksum = object.key().substring(prefix.length());
          if (!referenced.contains(checksum) && object.modified().isBefore(before)) {
            store.delete(object.key());
          }
        });
  }

  private long nowMillis() {
    return environment.clock().now().toEpochMilli();
  }
}
