package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.simulation.model.Operation;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A witness of the requests of clients to one table and of their answers, each at its moment:
 * before the request, and after the answer. An update that is begun and never acknowledged may or
 * may not have happened. Simulated clients tell it to the checks at once; real ones have it
 * recorded.
 */
public interface Witness {

  /** Notes that an update begins; its key identifies it. */
  void begun(String client, String key, List<Operation> operations);

  /** Notes that an update that was begun is acknowledged. */
  void acknowledged(
      String client,
      String key,
      List<Operation> operations,
      Acknowledgement level,
      UpdateReceipt receipt);

  /**
   * Notes that an update without an idempotency key failed, and that the error was retryable: it
   * has not happened, and does not happen unless it is sent again.
   */
  default void toldToRetry(String key, List<Operation> operations) {
    // a witness need not know who did as he was told
  }

  /** Notes that such an update is sent again. */
  default void sentAgain(String key) {
    // a witness need not know who did as he was told
  }

  /**
   * Notes that an update that is begun is submitted in a session, after all that were submitted in
   * it before.
   */
  default void submitted(String session, String key) {
    // a witness need not know of sessions
  }

  /**
   * Notes that an update that is begun may take the short way past the order: what it is told to be
   * its place may be that of another before it.
   */
  default void mayGoShort(String key) {
    // a witness need not know of sessions
  }

  /**
   * Notes that an update of a session is said to be stable.
   *
   * @param number its place; 0 if that is not said
   */
  default void stable(String key, long number) {
    // a witness need not know of sessions
  }

  /**
   * Notes that a read of all journals begins that is of one place in the order.
   *
   * @param session the session whose next entry it is
   */
  CutRead readsAtOnePlace(Optional<String> session);

  /** A read of one place in the order. One that fails is not heard of again. */
  @FunctionalInterface
  interface CutRead {
    /** Notes that it is answered. */
    void answered(SortedMap<Integer, List<Operation>> journals);
  }

  /**
   * Notes that a query of all journals begins.
   *
   * @param everybody true if it must see what anybody was told until now, and not only this client
   */
  Query asked(String client, boolean everybody);

  /** Notes that a scan of all operations begins. */
  default Scanned scanned(String client) {
    return (given, complete) -> {};
  }

  /** A scan under way. */
  @FunctionalInterface
  interface Scanned {
    /**
     * Notes what it has given.
     *
     * @param complete true if that is all
     */
    void given(List<Operation> operations, boolean complete);
  }

  /** A query under way. A query that fails is not heard of again. */
  interface Query {
    /** Returns the token that the query must be given. */
    Token token();

    /** Notes that it is answered wholly. */
    void answered(SortedMap<Integer, List<Operation>> journals);

    /** Notes that it is answered, possibly in part. */
    void answeredPartially(PartialAnswer<SortedMap<Integer, List<Operation>>> some);
  }
}
