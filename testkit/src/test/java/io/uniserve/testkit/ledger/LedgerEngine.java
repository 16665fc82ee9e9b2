package io.uniserve.testkit.ledger;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An engine of amounts by account, which is sound except for one defect. */
final class LedgerEngine implements Engine<LedgerActor> {
  private final Defect defect;

  LedgerEngine(Defect defect) {
    this.defect = defect;
  }

  /** An amount that is added to an account. */
  record Entry(String account, long amount) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(account);
    }
  }

  /**
   * An update that adds amounts, and answers with the sum of each account; it is refused if an
   * amount is negative.
   */
  record Add()
      implements UpdateFunction.Eventual<LedgerActor, Entry>,
          UpdateFunction.Ordered<LedgerActor, Entry>,
          UpdateFunction.Serializable<LedgerActor, Entry> {
    @Override
    public int answerBytesMax(int records) {
      return 20 + 20 * records;
    }

    @Override
    public Answer update(LedgerActor ledger, List<Entry> entries) {
      ledger.add(entries);
      return ledger.answer(entries);
    }

    @Override
    public boolean prepare(LedgerActor ledger, List<Entry> entries) {
      ledger.prepare(entries);
      return true;
    }

    @Override
    public Answer answer(LedgerActor ledger) {
      return ledger.answerOfPrepared();
    }

    @Override
    public void commit(LedgerActor ledger) {
      ledger.commit();
    }

    @Override
    public void abort(LedgerActor ledger) {
      ledger.abort();
    }
  }

  /** A retrieve that puts every account with its sum. */
  record Accounts() implements Operator.Retrieve<LedgerActor, Entry> {
    @Override
    public void retrieve(LedgerActor ledger, Output<Entry> values, OperatorContext context) {
      ledger.read().forEach((account, amount) -> values.put(new Entry(account, amount)));
    }
  }

  /** A type that is never used. */
  record Unused() {}

  /** A type with a component that no codec knows. */
  record Unwritable(Thread thread) {}

  @Override
  public String name() {
    return "ledger";
  }

  @Override
  public LedgerActor create(ActorContext context) throws IOException {
    return new LedgerActor(
        defect, new LedgerFiles(context.directory(), defect), Collections.emptySortedMap());
  }

  @Override
  public LedgerActor deserialize(ActorContext context) throws IOException {
    LedgerFiles files = new LedgerFiles(context.directory(), defect);
    return new LedgerActor(defect, files, files.read());
  }

  @Override
  public boolean writesFilesOnce() {
    return true;
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public boolean preparesTogether(UpdateFunction.Serializable<?, ?> function) {
    return true;
  }

  @Override
  public List<Class<? extends Record>> types() {
    List<Class<? extends Record>> types =
        new ArrayList<>(
            List.of(
                Entry.class,
                Add.class,
                Exchanges.Copy.class,
                Exchanges.Twin.class,
                Exchanges.ToAccounts.class,
                Exchanges.Total.class,
                Exchanges.ReadPage.class));
    if (defect != Defect.LISTS_TOO_LITTLE) {
      types.add(Accounts.class);
    }
    if (defect == Defect.LISTS_TOO_MUCH) {
      types.add(Unused.class);
    }
    if (defect == Defect.LISTS_WHAT_HAS_NO_CODEC) {
      types.add(Unwritable.class);
    }
    return types;
  }
}
