package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The chunks on the heap. A place is an index within a part. */
final class ChunksInMemory implements ChunkPages {
  private final List<KeptChunk> sorted;
  private final Runnable close;
  private final SortedMap<Integer, Integer> begins = new TreeMap<>();
  private final List<PartSize> parts = new ArrayList<>();
  private long bytes;

  /**
   * @param sorted the chunks, sorted by {@link KeptChunk#ORDER}
   * @param close gives the memory back
   */
  ChunksInMemory(List<KeptChunk> sorted, Runnable close) {
    this.sorted = sorted;
    this.close = close;
    long ofPart = 0;
    for (int i = 0; i < sorted.size(); i++) {
      KeptChunk chunk = sorted.get(i);
      begins.putIfAbsent(chunk.part(), i);
      bytes += chunk.bytes().remaining();
      ofPart += chunk.footprint();
      if (i + 1 == sorted.size() || sorted.get(i + 1).part() != chunk.part()) {
        parts.add(new PartSize(chunk.part(), ofPart));
        ofPart = 0;
      }
    }
  }

  @Override
  public List<PartSize> parts() {
    return parts;
  }

  @Override
  public long chunks() {
    return sorted.size();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public boolean onDisk() {
    return false;
  }

  @Override
  public FetchedChunks page(int part, long place, int bytesMax) {
    Integer begin = begins.get(part);
    if (begin == null || place < 0 || place > sorted.size() - begin) {
      throw UniserveException.invalid("there are no chunks of part " + part + " at " + place);
    }
    int from = begin + (int) place;
    int at = from;
    long taken = 0;
    List<FetchedChunk> page = new ArrayList<>();
    while (isOf(part, at) && (taken == 0 || taken + sorted.get(at).footprint() <= bytesMax)) {
      taken += sorted.get(at).footprint();
      page.add(sorted.get(at).fetched());
      at++;
    }
    return new FetchedChunks(page, place + at - from, !isOf(part, at));
  }

  private boolean isOf(int part, int index) {
    return index < sorted.size() && sorted.get(index).part() == part;
  }

  @Override
  public void close() {
    close.run();
  }
}
