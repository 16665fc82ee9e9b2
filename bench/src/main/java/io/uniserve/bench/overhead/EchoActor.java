package io.uniserve.bench.overhead;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import java.nio.file.Path;
import java.util.Arrays;

/** An actor without data that answers with as many bytes as it is asked for. */
public final class EchoActor implements Actor {

  /** The answer, made anew for each call as an engine would. */
  byte[] answer(byte[] request, int length) {
    return Arrays.copyOf(request, length);
  }

  @Override
  public void serialize(Path directory) {
    // There is no data: an empty directory is the whole of it.
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
