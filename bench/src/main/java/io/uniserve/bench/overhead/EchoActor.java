package io.uniserve.bench.overhead;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import java.nio.file.Path;
import java.util.Arrays;

/** An actor without data that answers with as many bytes as the request asks for. */
public final class EchoActor implements Actor {

  /** Returns the answer, made anew for each call as an engine would. */
  byte[] answer(byte[] request, int length) {
    return Arrays.copyOf(request, length);
  }

  @Override
  public void serialize(Path directory) {
    // There is no data: the empty directory is complete.
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    // The actor holds nothing that must be closed.
  }
}
