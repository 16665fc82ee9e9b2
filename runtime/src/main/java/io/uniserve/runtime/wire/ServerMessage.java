package io.uniserve.runtime.wire;

import io.uniserve.api.codec.Name;
import io.uniserve.kernel.Message;

/** What a server is asked about itself. */
public sealed interface ServerMessage extends Message {

  /** Is it there? Answered by {@link Pong}. */
  @Name("Ping")
  record Ping() implements ServerMessage {}

  /**
   * It is.
   *
   * @param server its name
   * @param incarnation which life of it; 0 before it joined
   */
  @Name("Pong")
  record Pong(String server, long incarnation) implements ServerMessage {}

  /** How is it? Answered by {@link ServerStatus}. */
  @Name("AskStatus")
  record AskStatus() implements ServerMessage {}
}
