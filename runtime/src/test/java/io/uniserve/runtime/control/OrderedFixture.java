package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.control.log.TableOrder;
import io.uniserve.runtime.control.reshape.ReshapeFixture;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The same two actors, in an ordered table, to which a test submits updates. */
abstract class OrderedFixture extends ReshapeFixture {
  static final long TABLE = ACTOR.table();
  static final Duration HOLD = Duration.ofSeconds(3);
  static final Stopped STOPPED = new Stopped(new Position(1, 1), 1, Optional.empty());

  /** The generation of the actors' keys, as clients know it. */
  int generation;

  @Override
  public final Consistency level() {
    return Consistency.ORDERED;
  }

  private static Payload bytes() {
    return Payload.ofBytes(StillEngine.NAME, ByteBuffer.allocate(1));
  }

  /** Submits an update; returns the code with which it is refused, if it is. */
  final Optional<ErrorCode> submit(String key, ActorId... actors) {
    return submit(new StillCaller(clock), key, actors);
  }

  private Optional<ErrorCode> submit(StillCaller caller, String key, ActorId... actors) {
    List<Portion> portions =
        List.of(actors).stream()
            .map(actor -> new Portion(actor.number(), generation, bytes()))
            .toList();
    Optional<UniserveException> refused =
        decide(
            () -> {
              try {
                sequencer.submit(
                    new SubmitUpdate(TABLE, UpdateKey.of(key), bytes(), portions), caller);
                return Optional.empty();
              } catch (UniserveException e) {
                return Optional.of(e);
              }
            });
    assertThat(refused.filter(failure -> !failure.retryable())).isEmpty();
    return refused.map(UniserveException::code);
  }

  private long last() {
    return decide(() -> decisions.orders().table(TABLE).map(TableOrder::last).orElse(0L));
  }

  final void assertOrdered(String key, ActorId actor) {
    long before = last();
    assertThat(submit(key, actor)).isEmpty();
    assertThat(last()).isEqualTo(before + 1);
  }

  /** Asserts that an update is neither refused nor ordered. Its caller does not wait for long. */
  final void assertWaits(String key, ActorId... actors) {
    long before = last();
    StillCaller caller = new StillCaller(clock);
    assertThat(submit(caller, key, actors)).isEmpty();
    assertThat(last()).isEqualTo(before);
    assertThat(caller.hearsNothing()).isTrue();
    caller.cancel();
  }

  final void got(Transport.ReplyObserver delivery, long number) {
    Result result = new Result(number, new Position(1, number), Optional.empty(), List.of());
    answer(delivery, new Delivered(List.of(result), Optional.empty()));
    decide(
        () -> {
          sequencer.check();
          return true;
        });
  }

  /** Ends a hold by a change of the schema, which lets updates go on during an attempt. */
  final void endHold() {
    TableDefinition table = decide(() -> decisions.state().requireTable("t").definition());
    record(new ControlRecord.TableRedefined(TABLE, table, Optional.of(table)));
    assertNothingBegins(ACTOR);
    record(new ControlRecord.TableRedefined(TABLE, table, Optional.empty()));
  }

  static void answer(Transport.ReplyObserver call, Message message) {
    call.replied(message);
    call.completed();
  }

  final Partitioner now() {
    return decide(() -> decisions.state().requireTable("t").definition().partitioner());
  }
}
