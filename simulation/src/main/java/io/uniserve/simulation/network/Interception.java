package io.uniserve.simulation.network;

import io.uniserve.kernel.Message;

/**
 * An interception of every message at its sending, which may replace it. It serves to check the
 * messages between processes from outside, and to try whether a check notices a defect. Must not
 * wait.
 */
public interface Interception {
  /**
   * Returns the message to send for a request.
   *
   * @param from the calling process
   * @param to the process that it calls
   */
  default Message request(String from, String to, Message request) {
    return request;
  }

  /**
   * Returns the message to send for a reply.
   *
   * @param from the replying process
   * @param to the process that called
   * @param request that is answered
   */
  default Message reply(String from, String to, Message request, Message reply) {
    return reply;
  }
}
