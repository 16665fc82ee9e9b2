package io.uniserve.runtime.control.log;

import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.util.List;
import java.util.Optional;

/**
 * The result of one request.
 *
 * @param records changes of cluster state, all of them or none
 * @param orders changes of the order of updates, after the records
 * @param messages that were given places in the total order
 * @param receipt the receipt of the request, if it must be done once
 */
@Name("Decision")
public record Decision(
    List<ControlRecord> records,
    List<OrderChange> orders,
    List<byte[]> messages,
    Optional<Receipt> receipt) {

  /**
   * A record of a request that was done, so that it is not done again.
   *
   * @param sender the sender of the request
   * @param sequence the sequence number of the request among the sender's
   * @param answeredBelow the sender has the answers to all its requests below
   * @param answer the answer, to be given again if the request comes again
   */
  public record Receipt(String sender, long sequence, long answeredBelow, ControlMessage answer) {}
}
