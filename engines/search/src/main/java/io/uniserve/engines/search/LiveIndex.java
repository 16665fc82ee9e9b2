package io.uniserve.engines.search;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Consistency;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.textindex.codec.SparseNormsCodec;
import io.uniserve.textindex.document.DocumentMapper;
import io.uniserve.textindex.document.Ids;
import io.uniserve.textindex.document.Readers;
import io.uniserve.textindex.document.Segments;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;

/** An index that takes updates. */
final class LiveIndex extends SearchActor {
  /**
   * The largest segment that stays in memory until it is merged or committed, and the most that all
   * of them take.
   */
  private static final double SEGMENT_MEBIBYTES_MAX = 1;

  private static final double SEGMENTS_MEBIBYTES_MAX = 4;

  /**
   * The files of the index. A segment of a few updates, which searches are to see at once, is made,
   * read and merged away within moments; on disk that took three times as much of a processor. No
   * file needs the disk before a commit, since the log of the copy has the updates.
   */
  private final NRTCachingDirectory directory;

  private final SnapshotDeletionPolicy commits =
      new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
  private final IndexWriter writer;
  private final Readers readers;
  private Optional<Writing> prepared = Optional.empty();

  /** True while updates are applied together, which searches see at the end. */
  private boolean showsLater;

  LiveIndex(ActorContext context, IndexWriterConfig.OpenMode mode) throws IOException {
    super(context, SearchPlanner.schema(context.table()));
    directory =
        new NRTCachingDirectory(
            FSDirectory.open(context.directory()), SEGMENT_MEBIBYTES_MAX, SEGMENTS_MEBIBYTES_MAX);
    writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig(schema().analyzer())
                .setCodec(new SparseNormsCodec())
                .setOpenMode(mode)
                .setIndexDeletionPolicy(commits)
                .setCommitOnClose(false)
                .setRAMBufferSizeMB(schema().writeBufferMegabytes()));
    readers = openReaders();
  }

  /** Opens the readers; if that fails, nothing of the index stays open. */
  private Readers openReaders() throws IOException {
    try {
      return new Readers(writer, schema());
    } catch (IOException | RuntimeException e) {
      try (directory) {
        writer.rollback();
      } catch (IOException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  @Override
  DirectoryReader acquire() throws IOException {
    return readers.acquire();
  }

  @Override
  void release(DirectoryReader reader) throws IOException {
    readers.release(reader);
  }

  @Override
  LiveIndex live() {
    return this;
  }

  /** A change of the index. */
  interface Writing {
    void to(IndexWriter writer) throws IOException;

    /** Returns this change and another after it. */
    default Writing then(Writing next) {
      return index -> {
        to(index);
        next.to(index);
      };
    }
  }

  /**
   * Returns a change that adds or replaces documents. Refuses all of them if the schema refuses
   * one.
   */
  Writing adding(List<Document> documents) {
    DocumentMapper mapper = new DocumentMapper(schema());
    List<List<IndexableField>> mapped = new ArrayList<>(documents.size());
    for (int row = 0; row < documents.size(); row++) {
      mapped.add(SearchPlanner.map(mapper, row, documents.get(row)));
    }
    return index -> {
      for (int row = 0; row < mapped.size(); row++) {
        index.updateDocument(idTerm(documents.get(row).id()), mapped.get(row));
      }
    };
  }

  /**
   * Applies a change. Searches see it soon; if the table's updates are ordered, every search that
   * begins afterwards does.
   *
   * @throws UncheckedIOException if that fails; Lucene may then have lost changes that were not in
   *     files, so the index must be opened again
   */
  void write(Writing change) {
    if (showsLater) {
      run(() -> change.to(writer));
    } else {
      shown(() -> change.to(writer));
    }
  }

  /** Applies updates, and shows them to searches together. */
  @Override
  public List<BatchedUpdate.Outcome> updateAll(List<BatchedUpdate> updates) {
    List<BatchedUpdate.Outcome> outcomes = new ArrayList<>(updates.size());
    showsLater = true;
    try {
      shown(() -> outcomes.addAll(super.updateAll(updates)));
    } finally {
      showsLater = false;
    }
    return outcomes;
  }

  /** Changes the index, as searches of tables of this consistency level are to see it. */
  private void shown(Readers.Change change) {
    boolean ordered = context().table().consistency() == Consistency.ORDERED;
    run(
        () -> {
          if (ordered) {
            readers.changeAtOnce(change);
          } else {
            readers.change(change);
          }
        });
  }

  /**
   * Prepares a change that has been checked, so that only its writing remains. It is written after
   * those that are prepared already.
   */
  void prepare(Writing change) {
    prepared = Optional.of(prepared.map(before -> before.then(change)).orElse(change));
  }

  /** Writes the prepared change and makes it visible, atomically and before any other change. */
  void commit() {
    Writing change = prepared.orElseThrow();
    prepared = Optional.empty();
    writeAtOnce(change);
  }

  /** Drops the prepared change. */
  void abort() {
    prepared = Optional.empty();
  }

  private void writeAtOnce(Writing change) {
    run(() -> readers.changeAtOnce(() -> change.to(writer)));
  }

  /** Changes the index; if that fails, tells the failure of Lucene from which all others come. */
  private void run(Readers.Change change) {
    try {
      change.run();
    } catch (IOException | AlreadyClosedException e) {
      Throwable origin = writer.getTragicException() == null ? e : writer.getTragicException();
      throw new UncheckedIOException(
          where() + " cannot be written: " + origin.getMessage(), new IOException(origin));
    }
  }

  /** Makes all changes visible to every search that begins afterwards. */
  void show() {
    writeAtOnce(index -> {});
  }

  @Override
  public void refresh() throws IOException {
    readers.refresh();
  }

  @Override
  public void serialize(Path target) throws IOException {
    writer.commit();
    IndexCommit commit = commits.snapshot();
    try {
      for (String file : commit.getFileNames()) {
        linkOrCopy(context().directory().resolve(file), target.resolve(file));
      }
    } finally {
      commits.release(commit);
      writer.deleteUnusedFiles();
    }
  }

  /**
   * Links a file, or copies it on a disk without links. A link suffices, since Lucene writes each
   * file once.
   */
  private static void linkOrCopy(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      Files.copy(from, to);
    }
  }

  @Override
  public void retain(Predicate<PartitionKey> kept) {
    writeAtOnce(index -> Ids.deleteOthers(index, id -> kept.test(PartitionKey.of(id))));
  }

  @Override
  public void absorb(Actor other) {
    LiveIndex its = ((SearchActor) other).live();
    try {
      its.refresh();
      DirectoryReader reader = its.acquire();
      try {
        writeAtOnce(index -> Segments.addAll(index, reader));
      } finally {
        its.release(reader);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<PartitionKey> middle() {
    try {
      refresh();
      DirectoryReader reader = acquire();
      try {
        return Ids.middle(reader).map(PartitionKey::of);
      } finally {
        release(reader);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<Actor> snapshot() {
    try {
      return Optional.of(new IndexSnapshot(this));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Usage usage() {
    File[] files = context().directory().toFile().listFiles();
    long bytes = files == null ? 0 : Arrays.stream(files).mapToLong(File::length).sum();
    return new Usage(
        (writer.isOpen() ? writer.ramBytesUsed() : 0) + directory.ramBytesUsed(), bytes);
  }

  @Override
  public boolean failed() {
    return writer.getTragicException() != null;
  }

  @Override
  public void close() {
    try (directory) {
      readers.close();
      writer.rollback();
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INTERNAL, where() + " cannot be closed: " + UniserveException.reason(e), e);
    }
  }
}
