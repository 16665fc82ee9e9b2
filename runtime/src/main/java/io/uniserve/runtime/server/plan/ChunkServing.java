package io.uniserve.runtime.server.plan;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.plan.chunk.ChunkPages;
import io.uniserve.runtime.server.plan.chunk.InputLostException;
import io.uniserve.runtime.wire.PlanMessage.FetchChunks;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.plan.OutputId;

/** The answers to requests for pages of scattered chunks. */
final class ChunkServing {
  private final Threads threads;
  private final int pageBytesMax;

  ChunkServing(Threads threads, int pageBytesMax) {
    this.threads = threads;
    this.pageBytesMax = pageBytesMax;
  }

  void handle(Run run, FetchChunks request, Incoming call) {
    if (onDisk(run, request.output())) {
      threads.start("chunks of " + request.output(), () -> answer(run, request, call));
    } else {
      answer(run, request, call);
    }
  }

  private void answer(Run run, FetchChunks request, Incoming call) {
    try {
      int bytesMax = Math.min(request.bytesMax(), pageBytesMax);
      call.reply(page(run, request.output(), request.part(), request.place(), bytesMax));
      call.complete();
    } catch (UniserveException e) {
      call.fail(e);
    }
  }

  private static boolean onDisk(Run run, OutputId id) {
    Shared<Output> holding = run.acquire(id).orElseThrow(() -> gone(id));
    try {
      return chunks(holding, id).onDisk();
    } finally {
      holding.release();
    }
  }

  static FetchedChunks page(Run run, OutputId id, int part, long place, int bytesMax) {
    Shared<Output> holding = run.acquire(id).orElseThrow(() -> gone(id));
    try {
      return chunks(holding, id).page(part, place, bytesMax);
    } finally {
      holding.release();
    }
  }

  private static ChunkPages chunks(Shared<Output> holding, OutputId id) {
    if (holding.value() instanceof Output.Chunks chunks) {
      return chunks.pages();
    }
    throw UniserveException.invalid("output " + id + " has no chunks");
  }

  private static InputLostException gone(OutputId id) {
    return new InputLostException("the chunks of task " + id + " are gone");
  }
}
