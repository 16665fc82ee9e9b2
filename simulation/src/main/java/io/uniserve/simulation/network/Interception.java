package io.uniserve.simulation.network;

import io.uniserve.kernel.Message;

/**
 * Sees every message when it is sent, and may send another in its place: to check from outside what
 * processes tell each other, and to try whether a check notices a defect. Must not wait.
 */
public interface Interception {
  /**
   * What to send for a request.
   *
   * @param from the calling process
   * @param to the process that it calls
   */
  default Message request(String from, String to, Message request) {
    return request;
  }

  /**
   * What to send for a reply.
   *
   * @param from the replying process
   * @param to the process that called
   * @param request that is answered
   */
  default Message reply(String from, String to, Message request, Message reply) {
    return reply;
  }
}
