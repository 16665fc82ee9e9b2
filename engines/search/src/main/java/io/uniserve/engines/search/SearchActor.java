package io.uniserve.engines.search;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.UniserveException;
import io.uniserve.api.Usage;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.DocumentMapper;
import io.uniserve.textindex.SearchRequest;
import io.uniserve.textindex.SearchSchema;
import io.uniserve.textindex.SortKey;
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
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FSDirectory;

/** One Lucene index. */
final class SearchActor implements Actor {
  private final ActorContext context;
  private final SearchSchema schema;
  private final FSDirectory directory;
  private final SnapshotDeletionPolicy commits =
      new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
  private final IndexWriter writer;
  private final Readers readers;

  SearchActor(ActorContext context, IndexWriterConfig.OpenMode mode) throws IOException {
    this.context = context;
    schema = SearchPlanner.schema(context.table());
    directory = FSDirectory.open(context.directory());
    writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig(schema.analyzer())
                .setOpenMode(mode)
                .setIndexDeletionPolicy(commits)
                .setCommitOnClose(false)
                .setRAMBufferSizeMB(schema.writeBufferMegabytes()));
    readers = new Readers(writer, schema);
  }

  BoundRequest bind(SearchRequest request) {
    return BoundRequest.of(schema, request);
  }

  /** Work on a searcher. */
  interface Reading<T> {
    T of(TableSearcher searcher) throws IOException;
  }

  /**
   * Reads what is visible.
   *
   * @throws UniserveException if the request ended before the work did, or the files cannot be read
   */
  <T> T read(Reading<T> work, Optional<TableStatistics> statistics, OperatorContext request) {
    try {
      DirectoryReader reader = readers.acquire();
      try {
        TableSearcher searcher = new TableSearcher(reader, statistics, request);
        T result = work.of(searcher);
        if (searcher.timedOut()) {
          request.checkCancelled();
          throw new UniserveException(ErrorCode.CANCELLED, "search of " + where());
        }
        return result;
      } finally {
        readers.release(reader);
      }
    } catch (IOException | UncheckedIOException | AlreadyClosedException e) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, where() + " cannot be read: " + e, e);
    } catch (IndexSearcher.TooManyClauses e) {
      throw UniserveException.invalid("the query has too many parts: " + e.getMessage());
    }
  }

  /** A change of the index. */
  interface Writing {
    void to(IndexWriter writer) throws IOException;
  }

  /** Adds or replaces documents, all of them or, if the schema refuses one, none. */
  void add(List<Document> documents) {
    DocumentMapper mapper = new DocumentMapper(schema);
    List<List<IndexableField>> mapped = new ArrayList<>(documents.size());
    for (int row = 0; row < documents.size(); row++) {
      mapped.add(SearchPlanner.map(mapper, row, documents.get(row)));
    }
    write(
        index -> {
          for (int row = 0; row < mapped.size(); row++) {
            index.updateDocument(idTerm(documents.get(row).id()), mapped.get(row));
          }
        });
  }

  /**
   * Changes the index.
   *
   * @throws UncheckedIOException if that fails. Lucene may then have lost what was not in files, so
   *     the index must be opened again
   */
  void write(Writing change) {
    try {
      change.to(writer);
      readers.changed();
    } catch (IOException | AlreadyClosedException e) {
      Throwable origin = writer.getTragicException() == null ? e : writer.getTragicException();
      throw new UncheckedIOException(
          where() + " cannot be written: " + origin.getMessage(), new IOException(origin));
    }
  }

  /** Makes everything applied visible. */
  void refresh() throws IOException {
    readers.refresh();
  }

  static Term idTerm(String id) {
    return new Term(SortKey.ID, id);
  }

  @Override
  public void serialize(Path target) throws IOException {
    writer.commit();
    IndexCommit commit = commits.snapshot();
    try {
      for (String file : commit.getFileNames()) {
        linkOrCopy(context.directory().resolve(file), target.resolve(file));
      }
    } finally {
      commits.release(commit);
      writer.deleteUnusedFiles();
    }
  }

  /** Lucene writes a file once, so a link is as good as a copy wherever the disk has links. */
  private static void linkOrCopy(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      Files.copy(from, to);
    }
  }

  @Override
  public Usage usage() {
    File[] files = context.directory().toFile().listFiles();
    long bytes = files == null ? 0 : Arrays.stream(files).mapToLong(File::length).sum();
    return new Usage(writer.isOpen() ? writer.ramBytesUsed() : 0, bytes);
  }

  @Override
  public void close() {
    try (directory) {
      readers.close();
      writer.rollback();
    } catch (IOException e) {
      throw new UniserveException(ErrorCode.INTERNAL, where() + " cannot be closed: " + e, e);
    }
  }

  private String where() {
    return "actor " + context.actor() + " of table '" + context.table().name() + "'";
  }
}
