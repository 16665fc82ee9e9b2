package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.Consistency;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.Witness;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The checks of everything that is witnessed against the promises of the table's level.
 *
 * @param level the level of the table
 * @param promises acknowledged updates
 * @param history all updates, unless they are eventual
 * @param retries updates without keys whose failures were retryable
 * @param answers checks of answers
 * @param seen operations that answers have shown, if the table is serializable
 * @param commitments the decisions on operations
 */
public record Checks(
    Consistency level,
    Promises promises,
    History history,
    KeylessRetries retries,
    Answers answers,
    SeenUpdates seen,
    Commitments commitments)
    implements Witness {

  @Override
  public void begun(String client, String key, List<Operation> operations) {
    promises.begun(operations);
    if (level != Consistency.EVENTUAL) {
      history.begun(key, operations);
    }
  }

  @Override
  public void acknowledged(
      String client,
      String key,
      List<Operation> operations,
      Acknowledgement acknowledgement,
      UpdateReceipt receipt) {
    if (level != Consistency.EVENTUAL) {
      history.acknowledged(key);
    }
    promises.acknowledged(
        client, key, operations, acknowledgement, receipt, commitments.decisionsOn(operations));
  }

  @Override
  public void toldToRetry(String key, List<Operation> operations) {
    retries.toldToRetry(key, operations);
  }

  @Override
  public void sentAgain(String key) {
    retries.sentAgain(key);
  }

  @Override
  public void submitted(String session, String key) {
    history.submitted(session, key);
  }

  @Override
  public void mayGoShort(String key) {
    history.mayGoShort(key);
  }

  @Override
  public void stable(String key, long number) {
    history.stable(key, number);
  }

  @Override
  public CutRead readsAtOnePlace(Optional<String> session) {
    Cuts.Read read = history.cuts().asked(session);
    return journals -> history.cuts().answered(read, journals);
  }

  @Override
  public Query asked(String client, boolean everybody) {
    Token token = everybody ? promises.token() : Token.NONE;
    Answers.Before before =
        answers.before(
            client,
            promises.onAllCopies().stream()
                .filter(promise -> everybody || promise.client().equals(client))
                .toList(),
            level == Consistency.SERIALIZABLE ? seen.lasting() : List.of());
    return new Asked(token, before);
  }

  @Override
  public Scanned scanned(String client) {
    Answers.Before before =
        answers.before(
            client,
            promises.onAllCopies().stream()
                .filter(promise -> promise.client().equals(client))
                .toList(),
            List.of());
    return (given, complete) -> {
      answers.checkScan(given, complete, before);
      if (complete && level == Consistency.SNAPSHOT) {
        answers.checkOneVersion(present(new TreeMap<>(Map.of(0, given))), commitments.versions());
      }
    };
  }

  /** Returns the operations of journals that the present table has committed itself. */
  private SortedMap<Integer, List<Operation>> present(SortedMap<Integer, List<Operation>> all) {
    SortedMap<Integer, List<Operation>> present = new TreeMap<>();
    all.forEach(
        (actor, journal) ->
            present.put(actor, journal.stream().filter(it -> !commitments.isFormer(it)).toList()));
    return present;
  }

  private final class Asked implements Query {
    private final Token token;
    private final Answers.Before before;

    Asked(Token token, Answers.Before before) {
      this.token = token;
      this.before = before;
    }

    @Override
    public Token token() {
      return token;
    }

    @Override
    public void answered(SortedMap<Integer, List<Operation>> journals) {
      answers.check(journals, before);
      note(journals);
      if (level == Consistency.SNAPSHOT) {
        answers.checkOneVersion(present(journals), commitments.versions());
      }
    }

    @Override
    public void answeredPartially(PartialAnswer<SortedMap<Integer, List<Operation>>> some) {
      answers.check(some, before);
      note(some.result());
    }

    private void note(SortedMap<Integer, List<Operation>> journals) {
      if (level == Consistency.SERIALIZABLE) {
        seen.answered(journals);
      }
    }
  }
}
