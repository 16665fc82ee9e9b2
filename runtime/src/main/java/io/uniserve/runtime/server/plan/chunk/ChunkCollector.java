package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.Operator.Chunk;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.plan.Spread;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The collector of one scatter task's chunks. For one thread. */
public final class ChunkCollector {
  private final Spread spread;
  private final BitSet wanted = new BitSet();
  private final ChunkSpace space;
  private final int chunkSizeMax;
  private final long keptMin;
  private final ChunkRuns runs;
  private List<KeptChunk> kept = new ArrayList<>();
  private long reserved;

  /**
   * @param parts the parts whose chunks are wanted; empty for all
   */
  public ChunkCollector(
      Spread spread,
      List<Integer> parts,
      ChunkSpace space,
      ChunkFiles files,
      PlanSettings settings) {
    this.spread = spread;
    this.space = space;
    this.chunkSizeMax = settings.chunkSizeMax();
    this.keptMin = settings.chunkBytesKept();
    this.runs = new ChunkRuns(files);
    if (parts.isEmpty()) {
      wanted.set(0, spread.parts());
    }
    parts.stream().filter(part -> part >= 0 && part < spread.parts()).forEach(wanted::set);
  }

  public void put(Chunk chunk) {
    int size = chunk.bytes().remaining();
    if (size > chunkSizeMax) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a chunk of " + size + " bytes, at most " + chunkSizeMax);
    }
    int part = spread.partOf(chunk.attribute());
    if (wanted.get(part)) {
      ByteBuffer copy = ByteBuffer.allocate(size).put(chunk.bytes().duplicate()).flip();
      keep(new KeptChunk(part, chunk.attribute(), copy));
    }
  }

  private void keep(KeptChunk chunk) {
    space.take(chunk.footprint());
    reserved += chunk.footprint();
    kept.add(chunk);
    if (space.full() && reserved > keptMin) {
      writeOut();
    }
  }

  private void writeOut() {
    kept.sort(KeptChunk.ORDER);
    runs.add(kept);
    kept = new ArrayList<>();
    space.give(reserved);
    reserved = 0;
  }

  /** Returns all chunks. */
  public ChunkPages finish() {
    if (!runs.isEmpty()) {
      writeOut();
      return runs.merge();
    }
    kept.sort(KeptChunk.ORDER);
    long held = reserved;
    reserved = 0;
    return new ChunksInMemory(kept, () -> space.give(held));
  }

  /** Gives up chunks that have not become pages. */
  public void abandon() {
    space.give(reserved);
    reserved = 0;
    kept = new ArrayList<>();
    runs.close();
  }
}
