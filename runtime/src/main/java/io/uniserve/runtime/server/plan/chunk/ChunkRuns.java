package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** The sorted files of one scatter task, which together are its output. */
final class ChunkRuns {
  private static final int MERGE_BYTES = 8 << 20;
  private static final int PAGE_BYTES_MIN = 4 << 10;
  private static final int PAGE_BYTES_MAX = 256 << 10;

  private final ChunkFiles files;
  private final List<ChunksInFile> runs = new ArrayList<>();

  ChunkRuns(ChunkFiles files) {
    this.files = files;
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Writes one more file. */
  void add(List<KeptChunk> sorted) {
    runs.add(ChunkFileWriter.write(files, sorted.iterator()));
  }

  /** Merges all files into one. */
  ChunkPages merge() {
    if (runs.size() == 1) {
      return runs.removeFirst();
    }
    try {
      return ChunkFileWriter.write(files, new Merged());
    } finally {
      close();
    }
  }

  /** Deletes files that were not handed over. */
  void close() {
    runs.forEach(ChunksInFile::close);
    runs.clear();
  }

  /** All chunks in order. */
  private final class Merged implements Iterator<KeptChunk> {
    private final PriorityQueue<Reader> readers =
        new PriorityQueue<>((one, other) -> KeptChunk.ORDER.compare(one.chunk, other.chunk));

    Merged() {
      int pageBytes = Math.clamp(MERGE_BYTES / runs.size(), PAGE_BYTES_MIN, PAGE_BYTES_MAX);
      for (ChunksInFile run : runs) {
        Reader reader = new Reader(run, pageBytes);
        if (reader.advance()) {
          readers.add(reader);
        }
      }
    }

    @Override
    public boolean hasNext() {
      return !readers.isEmpty();
    }

    @Override
    public KeptChunk next() {
      if (readers.isEmpty()) {
        throw new NoSuchElementException("no more chunks");
      }
      Reader reader = readers.remove();
      KeptChunk chunk = reader.chunk;
      if (reader.advance()) {
        readers.add(reader);
      }
      return chunk;
    }
  }

  /** A reader of one file, from its beginning to its end. */
  private static final class Reader {
    private final ChunksInFile run;
    private final int pageBytes;
    private final Iterator<PartSize> parts;
    private int part;
    private FetchedChunks page = new FetchedChunks(List.of(), 0, true);
    private Iterator<FetchedChunk> rest = page.chunks().iterator();
    private KeptChunk chunk;

    Reader(ChunksInFile run, int pageBytes) {
      this.run = run;
      this.pageBytes = pageBytes;
      this.parts = run.parts().iterator();
    }

    /** Goes on to the next chunk; returns false after the last. */
    boolean advance() {
      if (!rest.hasNext() && !turn()) {
        return false;
      }
      FetchedChunk next = rest.next();
      chunk = new KeptChunk(part, next.attribute(), next.bytes());
      return true;
    }

    private boolean turn() {
      if (!page.last()) {
        page = run.page(part, page.next(), pageBytes);
      } else if (parts.hasNext()) {
        part = parts.next().part();
        page = run.page(part, 0, pageBytes);
      } else {
        return false;
      }
      rest = page.chunks().iterator();
      return true;
    }
  }
}
