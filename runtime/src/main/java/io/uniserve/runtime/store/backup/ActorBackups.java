package io.uniserve.runtime.store.backup;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.StoreSettings;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Gap;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.store.backup.Manifest.StoredFile;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The backups of actors in the durable store (DPA §4.3). They cost as much as has changed: log
 * objects with the newest updates, and now and then a checkpoint, of which only those files are
 * uploaded that the store does not have. {@link History} derives the state from them.
 *
 * <p>Each object appears as a whole. A log object is one commit, and so is the manifest of a
 * checkpoint, which is written when all files that it names are in the store. Only the primary of
 * an actor writes, under names that begin with its epoch; so a deposed primary that has not noticed
 * it yet can do no harm.
 *
 * <p>Safe for use by many threads; checkpoints of one actor are made one after another.
 */
public final class ActorBackups implements AutoCloseable {
  private static final class ActorState {
    private final ReentrantLock lock = new ReentrantLock();
    private final KnownChecksums checksums = new KnownChecksums();

    /** The writers of the objects that the store has, by checksum. */
    private final Map<String, Long> stored = new ConcurrentHashMap<>();

    private long learntFor = -1;
  }

  private static final int FILE_BYTES_MAX = 16 << 20;
  private static final int LIFE_BYTES_MAX = 1 << 10;

  private final DurableStore store;
  private final Environment environment;
  private final Transfers transfers;
  private final CheckpointFiles files;
  private final Collector collector;
  private final Catalog catalog;
  private final Owners owners;
  private final Duration grace;
  private final Map<BackupPlace, ActorState> states = new ConcurrentHashMap<>();

  /** Creates backups in this store, with the settings of production. */
  public ActorBackups(DurableStore store, Environment environment) {
    this(store, environment, StoreSettings.DEFAULT);
  }

  /** Creates backups in this store. */
  public ActorBackups(DurableStore store, Environment environment, StoreSettings settings) {
    this.store = store;
    this.environment = environment;
    grace = settings.grace();
    transfers = new Transfers(environment, settings.transfers());
    files = new CheckpointFiles(store, transfers);
    owners = new Owners(store, environment.clock());
    catalog = new Catalog(store, environment.clock(), settings.grace());
    collector = new Collector(store, environment.clock(), settings.grace());
  }

  /** Returns the chain of those who write in the name of a cluster. */
  public Owners owners() {
    return owners;
  }

  /** Returns the tables that the store knows. */
  public Catalog catalog() {
    return catalog;
  }

  /**
   * Deletes outputs of plans that have expired and that no table needs.
   *
   * @param cluster the plans' cluster
   * @param asOf the time at which the tables were last known
   * @param needed tells whether a table needs an output; asked once for each that has expired
   */
  public void collectKept(String cluster, Instant asOf, Predicate<KeptOutput> needed) {
    long sureMillis = asOf.minus(grace).toEpochMilli();
    Map<KeptOutput, Boolean> over = new LinkedHashMap<>();
    store.list(
        BackupKeys.kept(cluster),
        object ->
            BackupKeys.keptOutput(cluster, object.key())
                .filter(output -> output.expired(sureMillis))
                .filter(output -> over.computeIfAbsent(output, one -> !needed.test(one)))
                .ifPresent(output -> store.delete(object.key())));
  }

  /**
   * Returns what the store has of an actor now.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if it has lost the records of where
   *     primaries continued from
   */
  public History history(BackupPlace place) {
    History history = listed(place);
    if (!history.lostEpochs().isEmpty()) {
      throw StoreFailures.corrupt(BackupKeys.history(place), history.lost().getMessage());
    }
    return history;
  }

  /**
   * Returns the same, even if records of where primaries continued from are lost. Whatever seems to
   * be lost is looked for again, since a primary may have deleted expired objects meanwhile.
   */
  public History listed(BackupPlace place) {
    History history = listOnce(place);
    return history.lostEpochs().isEmpty() ? history : listOnce(place);
  }

  private History listOnce(BackupPlace place) {
    List<HistoryItem> items = new ArrayList<>();
    store.list(
        BackupKeys.history(place),
        object -> HistoryItem.parse(BackupKeys.nameOf(object.key())).ifPresent(items::add));
    return new History(items);
  }

  /**
   * Records who leads in an epoch, since two primaries of one epoch would write under the same
   * names. The record is the name alone. It is compared and shown, and never decoded, so it needs
   * no version.
   *
   * @param life the primary's own name, which no other has
   * @param owns fails unless this cluster still owns the store; asked before the records of earlier
   *     epochs are deleted, among which would be those of a cluster that took over meanwhile
   * @return the server that began it before, if another did
   */
  public Optional<String> begin(BackupPlace place, long epoch, String life, Runnable owns) {
    String key = BackupKeys.epochs(place) + epoch;
    byte[] own = life.getBytes(StandardCharsets.UTF_8);
    if (store.putIfAbsent(key, Content.of(own))) {
      List<String> over = new ArrayList<>();
      store.list(BackupKeys.epochs(place), object -> over.add(object.key()));
      over.removeIf(other -> other.equals(key) || numberOf(other) > epoch);
      if (!over.isEmpty()) {
        owns.run();
        over.forEach(store::delete);
      }
      return Optional.empty();
    }
    String other = new String(store.get(key, LIFE_BYTES_MAX), StandardCharsets.UTF_8);
    return Optional.of(other).filter(known -> !known.equals(life));
  }

  private static long numberOf(String key) {
    return Long.parseLong(BackupKeys.nameOf(key));
  }

  /** Takes the history over for a primary. */
  public void open(BackupPlace place, EpochStart epoch) {
    store.put(BackupKeys.item(place, epoch), Content.of(new byte[0]));
  }

  /** Records that the store will never have some updates as log objects. */
  public void note(BackupPlace place, Gap gap) {
    store.put(BackupKeys.item(place, gap), Content.of(new byte[0]));
  }

  /**
   * Adds updates. Returns once they are in the store. They may be there already, if the answer to
   * an earlier attempt was lost; what has been damaged since is replaced.
   *
   * @param entries one for each position of the log object
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if the store has other updates there
   */
  public void append(BackupPlace place, Log log, List<ByteBuffer> entries) {
    byte[] bytes = new StoredEntries(place, log, entries).encode();
    String key = BackupKeys.item(place, log);
    if (store.putIfAbsent(key, Content.of(bytes))) {
      return;
    }
    Optional<byte[]> stored = sound(place, log);
    if (stored.isEmpty()) {
      store.put(key, Content.of(bytes));
    } else if (!Arrays.equals(stored.get(), bytes)) {
      throw StoreFailures.corrupt(key, "it has other updates than those to be stored");
    }
  }

  /** Returns the bytes of a log object; empty if they are damaged. */
  private Optional<byte[]> sound(BackupPlace place, Log log) {
    try {
      byte[] bytes = store.get(BackupKeys.item(place, log), StoredEntries.SIZE_BYTES_MAX);
      StoredEntries.decode(bytes, place, log);
      return Optional.of(bytes);
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.CORRUPT) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /** Stores a manifest. One that is there already is as good, unless it is damaged. */
  private void putManifest(String key, Manifest manifest) {
    Content content = Content.of(manifest.encode());
    if (!store.putIfAbsent(key, content)) {
      try {
        manifest(manifest.place(), manifest.checkpoint());
      } catch (UniserveException e) {
        if (e.code() != ErrorCode.CORRUPT) {
          throw e;
        }
        store.put(key, content);
      }
    }
  }

  /**
   * Returns the updates of a log object.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if it was merged with others since
   *     the history was read; with {@link ErrorCode#CORRUPT} if it is damaged
   */
  public List<ByteBuffer> read(BackupPlace place, Log log) {
    byte[] bytes = store.get(BackupKeys.item(place, log), StoredEntries.SIZE_BYTES_MAX);
    return StoredEntries.decode(bytes, place, log).entries();
  }

  /**
   * Reads many things of the store, a few ahead of what is taken: one after another they would take
   * as long as a store needs to answer, times their number.
   *
   * @param read the reading of an item, on another thread
   * @param take the use of what was read, on this thread, in the order of the items
   * @throws UniserveException what reading or taking one throws, once all before it are taken
   */
  public <T, R> void inOrder(List<T> items, Function<T, R> read, BiConsumer<T, R> take) {
    transfers.inOrder(items, read, take);
  }

  /** Stores the files of an actor that were just written, as below. */
  public BackupReceipt checkpoint(
      BackupPlace place, Checkpoint checkpoint, History history, Path directory) {
    return checkpoint(place, checkpoint, history, directory, FileCheck.NONE);
  }

  /**
   * Stores an actor's files. Returns once they are in the store.
   *
   * @param history the history of the actor, as of about now
   * @param directory unchanged until the return
   * @param check checks the files that the store does not have
   * @throws UniserveException as of {@link DurableStore}, or of the check; the store's former
   *     contents remain
   */
  public BackupReceipt checkpoint(
      BackupPlace place, Checkpoint checkpoint, History history, Path directory, FileCheck check) {
    ActorState state = states.computeIfAbsent(place, absent -> new ActorState());
    state.lock.lock();
    try {
      learnStored(place, state, history, checkpoint.writer());
      CheckpointFiles.Upload upload =
          files.upload(
              place,
              checkpoint.writer(),
              directory,
              state.checksums,
              state.stored,
              environment.clock().now(),
              check);
      Manifest manifest = new Manifest(place, checkpoint, upload.files());
      putManifest(BackupKeys.item(place, checkpoint), manifest);
      return upload.receipt(checkpoint.position());
    } catch (RuntimeException e) {
      state.learntFor = -1;
      throw e;
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Learns which files the store has. Within one epoch nobody else collects, so stored files
   * remain. In a new epoch, only the files that the newest checkpoint names are sure to remain. If
   * that checkpoint is damaged, none counts as stored.
   */
  private void learnStored(BackupPlace place, ActorState state, History history, long writer) {
    if (state.learntFor == writer) {
      return;
    }
    state.stored.clear();
    if (!history.checkpoints().isEmpty()) {
      soundFiles(place, history.checkpoints().getFirst())
          .forEach(file -> state.stored.put(file.sha256(), file.writer()));
    }
    state.learntFor = writer;
  }

  private List<StoredFile> soundFiles(BackupPlace place, Checkpoint checkpoint) {
    try {
      return manifest(place, checkpoint).files();
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.CORRUPT && e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
      return List.of();
    }
  }

  /**
   * Restores an actor's files.
   *
   * @param target an empty directory, or none yet; to be deleted by the caller after a failure
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if anything is missing or damaged
   */
  public void restore(BackupPlace place, Checkpoint checkpoint, Path target) {
    files.fetch(place, manifest(place, checkpoint), target);
  }

  /** Returns the names of the files of a checkpoint. */
  public List<String> files(BackupPlace place, Checkpoint checkpoint) {
    return manifest(place, checkpoint).files().stream().map(StoredFile::name).toList();
  }

  /**
   * Returns one small file of a checkpoint.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if it is missing or damaged
   */
  public byte[] file(BackupPlace place, Checkpoint checkpoint, String name) {
    StoredFile file =
        manifest(place, checkpoint).files().stream()
            .filter(known -> known.name().equals(name))
            .findFirst()
            .orElseThrow(() -> StoreFailures.corrupt(checkpoint.name(), "it has no file " + name));
    return store.get(BackupKeys.object(place, file.object()), FILE_BYTES_MAX);
  }

  /**
   * Deletes objects that no restore within the retention needs any more. To be called by the
   * actor's primary.
   *
   * @param writer the epoch of the primary
   */
  public void collect(BackupPlace place, long writer, Duration retention) {
    ActorState state = states.computeIfAbsent(place, absent -> new ActorState());
    state.lock.lock();
    try {
      Optional<Set<String>> needed =
          collector.collect(place, history(place), writer, retention, this::manifest);
      needed.ifPresent(
          names ->
              state
                  .stored
                  .entrySet()
                  .removeIf(entry -> !names.contains(objectOf(entry.getKey(), entry.getValue()))));
    } finally {
      state.lock.unlock();
    }
  }

  private static String objectOf(String sha256, long writer) {
    return new StoredFile("file", 0, sha256, writer).object();
  }

  /**
   * Merges successive log objects of one writer and epoch, so that their number does not grow for
   * ever. A history is the same with the merged object, the others or all of them.
   *
   * @return the object that holds all their updates
   */
  public Log merge(BackupPlace place, List<Log> logs) {
    Log first = logs.getFirst();
    Log last = logs.getLast();
    Log merged = new Log(last.writer(), first.after(), last.last(), last.lastMillis());
    List<ByteBuffer> entries = new ArrayList<>();
    inOrder(logs, log -> read(place, log), (log, own) -> entries.addAll(own));
    append(place, merged, entries);
    logs.forEach(log -> store.delete(BackupKeys.item(place, log)));
    return merged;
  }

  /** Forgets an actor whose primary is elsewhere now. */
  public void forget(BackupPlace place) {
    states.remove(place);
  }

  private Manifest manifest(BackupPlace place, Checkpoint checkpoint) {
    String key = BackupKeys.item(place, checkpoint);
    Manifest manifest = Manifest.decode(store.get(key, Manifest.SIZE_BYTES_MAX), key);
    if (!manifest.place().equals(place) || !manifest.checkpoint().equals(checkpoint)) {
      throw StoreFailures.corrupt(
          key, "it is the manifest of " + manifest.checkpoint() + " of " + manifest.place());
    }
    return manifest;
  }

  /** Ends the transfers; the store stays open. */
  @Override
  public void close() {
    transfers.close();
  }
}
