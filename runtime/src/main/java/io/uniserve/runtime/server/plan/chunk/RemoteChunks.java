package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.PlanMessage.FetchChunks;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.plan.OutputId;
import java.time.Duration;

/**
 * Chunks on another server.
 *
 * @param environment the environment of this process
 * @param calls the calls of this process to servers
 * @param server that has them
 * @param run that owns them
 * @param output the output of the scatter task
 * @param part the number of the part of it
 * @param timeout the time after which a page is given up
 */
public record RemoteChunks(
    Environment environment,
    ServerCalls calls,
    ServerState server,
    String run,
    OutputId output,
    int part,
    Duration timeout)
    implements ChunkSupply {

  @Override
  public Asked ask(long place, int bytesMax) {
    OnePage page = new OnePage(new Promise<>(environment.threads()));
    Transport.Call call =
        calls.begin(
            server,
            new FetchChunks(run, output, part, place, bytesMax),
            Deadline.after(environment.clock(), timeout),
            page);
    return new AskedRemotely(page.promise, call);
  }

  private record AskedRemotely(Promise<FetchedChunks> page, Transport.Call call) implements Asked {
    @Override
    public void cancel() {
      call.cancel();
      page.fail(new UniserveException(ErrorCode.CANCELLED, "the query was cancelled"));
    }
  }

  private record OnePage(Promise<FetchedChunks> promise) implements Transport.ReplyObserver {
    @Override
    public void replied(Message reply) {
      if (reply instanceof FetchedChunks page) {
        promise.complete(page);
      } else {
        promise.fail(new UniserveException(ErrorCode.INTERNAL, "no page of chunks: " + reply));
      }
    }

    /**
     * Fails the promise if there was no answer. Every call ends here, and to create an unneeded
     * exception costs more than a small page.
     */
    @Override
    public void completed() {
      if (!promise.isDone()) {
        promise.fail(new UniserveException(ErrorCode.UNAVAILABLE, "a page of chunks did not come"));
      }
    }

    @Override
    public void failed(UniserveException failure) {
      promise.fail(failure);
    }
  }
}
