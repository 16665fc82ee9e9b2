package io.uniserve.sql.stages;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.ArrowTable;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The rows of a query, some at a time, for a plan that processes them. If the query only passes on
 * the actors' rows, the rows of one actor are held at a time, or those of several with few rows.
 * Otherwise the whole result is held. Both are limited to {@link StagePlan#GATHERED_BYTES_MAX}.
 *
 * @param query the query
 */
public record QueryBlocks(SqlQuery query) {
  /**
   * A consumer of blocks.
   *
   * @param <R> its answer
   */
  public interface Taking<R> {
    /**
     * Makes the plan that takes some blocks, each an Arrow stream for {@link #read}.
     *
     * @param before the answer to the blocks before
     */
    Plan<R> take(List<ByteBuffer> blocks, R before);
  }

  /**
   * Makes the plan that passes on all blocks; its answer is the consumer's last one.
   *
   * @param start the answer before the first blocks
   */
  public <R> Plan<R> plan(R start, Taking<R> taking) {
    return passes()
        ? ofActors(new UnreadActors(query.warehouse().name()), List.of(), start, taking)
        : query.plan((last, timeout) -> blocks(last)).then(blocks -> taking.take(blocks, start));
  }

  /**
   * Passes the rows of a block to a consumer, some at a time, with the query's columns in their
   * order.
   */
  public void read(ByteBuffer block, Consumer<VectorSchemaRoot> rows) {
    Blocks.read(
        block,
        batch -> rows.accept(passes() ? ArrowTable.named(batch, query.small().columns()) : batch));
  }

  private boolean passes() {
    return ArrowQuery.onlyPasses(query.small());
  }

  /**
   * Makes the plan for rows of actors. No blocks are passed on before there are many, or all. Until
   * then the query can begin again.
   */
  private <R> Plan<R> ofActors(
      UnreadActors unread, List<ByteBuffer> held, R before, Taking<R> taking) {
    Stage stage = query.small().stages().getFirst();
    return new Plan.Query<>(
            new Source.Table(query.warehouse().name(), unread.next(1)),
            new RunStage(stage.name(), stage.sql(), List.of()),
            () -> new StagePlan.Gathered(StagePlan.room(query.small())))
        .then(
            blocks -> {
              List<ByteBuffer> all =
                  new ArrayList<>(unread.beganAgain() ? List.<ByteBuffer>of() : held);
              all.addAll(blocks);
              unread.took();
              long bytes = all.stream().mapToLong(ByteBuffer::remaining).sum();
              if (unread.more() && bytes <= ArrowQuery.WAVE_BYTES) {
                return ofActors(unread, all, before, taking);
              }
              unread.gave();
              Plan<R> taken = taking.take(all, before);
              return unread.more()
                  ? taken.then(answer -> ofActors(unread, List.of(), answer, taking))
                  : taken;
            });
  }

  /** Returns the rows of the last stage, in the order of the query's columns. */
  private static List<ByteBuffer> blocks(LastStage last) {
    Collected all = new Collected();
    ClientSql.get().stream(last, all);
    return all.blocks;
  }

  private static final class Collected implements ArrowSink {
    private final List<ByteBuffer> blocks = new ArrayList<>();
    private long bytes;

    @Override
    public void rows(VectorSchemaRoot rows) {
      ByteBuffer block = Blocks.of(rows);
      bytes += block.remaining();
      if (bytes > StagePlan.GATHERED_BYTES_MAX) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE,
            "SQL: the query for a table returns more than "
                + StagePlan.GATHERED_BYTES_MAX
                + " bytes that the client must hold");
      }
      blocks.add(block);
    }

    @Override
    public void whenCancelled(Runnable action) {
      // a change that has begun is not cancelled, but ends with its deadline
    }
  }
}
