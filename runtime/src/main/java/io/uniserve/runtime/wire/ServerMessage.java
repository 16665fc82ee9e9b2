package io.uniserve.runtime.wire;

import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;

/** The requests to a server about itself, and their answers. */
public sealed interface ServerMessage extends Message {

  /** A request for a sign of life. Answered by {@link Pong}. */
  @Name("Ping")
  record Ping() implements ServerMessage {}

  /**
   * A sign of life.
   *
   * @param server its name
   * @param incarnation the number of its life; 0 before it joined
   */
  @Name("Pong")
  record Pong(String server, long incarnation) implements ServerMessage {}

  /** A request for the server's status. Answered by {@link ServerStatus}. */
  @Name("AskStatus")
  record AskStatus() implements ServerMessage {}
}
