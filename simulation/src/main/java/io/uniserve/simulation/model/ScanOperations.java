package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.partition.Keys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A scan of an actor's journal, in the order of keys and numbers. A page has as many operations as
 * it may have bytes.
 */
public record ScanOperations() implements Operator.Scan<ModelActor> {
  private static final Comparator<Operation> ORDER =
      Comparator.comparingLong(Operation::key).thenComparingLong(Operation::number);

  /** Returns the plan of a scan of a table. */
  public static ScanPlan plan(String table) {
    return new ScanPlan(
        table,
        new ScanOperations(),
        Keys.ALL,
        false,
        List.of(),
        (block, records) ->
            operations(block)
                .forEach(each -> records.accept(Collections.singletonMap("operation", each))));
  }

  @Override
  public ScanPage page(ModelActor actor, ScanFrom from, OperatorContext context) {
    context.checkCancelled();
    Optional<Operation> after = from.place().map(place -> one(new Decoder(place.duplicate())));
    List<Operation> visible = actor.visible();
    List<Operation> rest =
        visible.stream()
            .filter(each -> after.isEmpty() || ORDER.compare(each, after.get()) > 0)
            .sorted(ORDER)
            .limit(from.bytesMax() + 1L)
            .toList();
    List<Operation> looked = rest.subList(0, Math.min(rest.size(), from.bytesMax()));
    List<Operation> given =
        looked.stream()
            .filter(each -> from.only().isEmpty() || from.only().get().test(each.partitionKey()))
            .toList();
    boolean ended = looked.size() == rest.size();
    return new ScanPage(
        given.isEmpty() ? List.of() : List.of(bytes(given)),
        given.size(),
        ended ? Optional.empty() : Optional.of(bytes(List.of(looked.getLast()))),
        looked.size(),
        visible.size());
  }

  private static ByteBuffer bytes(List<Operation> operations) {
    Encoder out = new Encoder();
    for (Operation operation : operations) {
      out.writeLong(operation.key());
      out.writeLong(operation.number());
    }
    return out.toByteBuffer();
  }

  private static Operation one(Decoder in) {
    return new Operation(in.readLong(), in.readLong());
  }

  /** Returns the operations of a block. */
  public static List<Operation> operations(ByteBuffer block) {
    List<Operation> operations = new ArrayList<>();
    Decoder in = new Decoder(block.duplicate());
    while (in.remaining() > 0) {
      operations.add(one(in));
    }
    return operations;
  }
}
