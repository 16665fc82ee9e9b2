package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.simulation.model.Operation;
import java.util.List;
import java.util.SortedMap;

/**
 * Hears what clients ask of one table and what they are told, each at its moment: before they ask,
 * and after they were told. An update that is begun and never acknowledged may or may not have
 * happened. Simulated clients tell it to the checks at once; real ones have it recorded.
 */
public interface Witness {

  /** An update begins; its key tells it from all others. */
  void begun(String client, String key, List<Operation> operations);

  /** An update that was begun is acknowledged. */
  void acknowledged(
      String client,
      String key,
      List<Operation> operations,
      Acknowledgement level,
      UpdateReceipt receipt);

  /**
   * A query of all journals begins.
   *
   * @param everybody whether it must see what anybody was told until now, and not this client alone
   */
  Query asked(String client, boolean everybody);

  /** A query under way. One that fails is not heard of again. */
  interface Query {
    /** What it has to be asked with. */
    Token token();

    /** It is answered, wholly. */
    void answered(SortedMap<Integer, List<Operation>> journals);

    /** It is answered, perhaps in part. */
    void answeredPartially(PartialAnswer<SortedMap<Integer, List<Operation>>> some);
  }
}
