package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ConsensusMessage;
import io.uniserve.runtime.wire.ConsensusMessage.AppendEntries;
import io.uniserve.runtime.wire.ConsensusMessage.Appended;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.NotAppended;
import io.uniserve.runtime.wire.ConsensusMessage.PreVote;
import io.uniserve.runtime.wire.ConsensusMessage.Vote;
import io.uniserve.runtime.wire.ControlMessage.Submit;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.store.UnsummedLogs;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of the controllers is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class ControllersDefectsTest {
  private static final List<FaultKind> SPLITS =
      List.of(FaultKind.PARTITION, FaultKind.ONE_WAY_CUT, FaultKind.PAUSE, FaultKind.CRASH);

  record Defect(
      String name,
      List<FaultKind> kinds,
      Supplier<Interception> interception,
      UnaryOperator<Environment> machine) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "what is acknowledged to a leader is not forced",
            List.of(FaultKind.POWER_FAILURE),
            () -> new Interception() {},
            machine -> new OtherDisk(machine, UnforcedFiles::new)),
        new Defect(
            "the directories that name a controller's files are not forced",
            List.of(FaultKind.POWER_FAILURE),
            () -> new Interception() {},
            machine -> new OtherDisk(machine, UnforcedNames::new)),
        new Defect(
            "what is read after a force failed is taken for what the disk has",
            List.of(FaultKind.FAILED_FORCES, FaultKind.POWER_FAILURE),
            () -> new Interception() {},
            machine -> new OtherDisk(machine, RereadFiles::new)),
        new Defect(
            "checksums of a controller's log and snapshots are not compared",
            List.of(FaultKind.CRASH, FaultKind.ROT_AT_REST),
            () -> new Interception() {},
            machine -> new OtherDisk(machine, disk -> new UnsummedLogs(disk, CutFrames::isFramed))),
        new Defect(
            "a controller's log is cut off at any damage, as if a crash had torn it",
            List.of(FaultKind.CRASH, FaultKind.OUTAGE, FaultKind.ROT_AT_REST),
            () -> new Interception() {},
            machine -> new OtherDisk(machine, CutFrames::new)),
        new Defect(
            "a controller votes for everybody", SPLITS, Generous::new, UnaryOperator.identity()),
        new Defect(
            "a deposed leader is believed",
            List.of(FaultKind.PAUSE, FaultKind.PARTITION),
            Believers::new,
            UnaryOperator.identity()),
        new Defect(
            "a request that is sent again is taken for another",
            List.of(FaultKind.CRASH, FaultKind.MESSAGE_LOSS),
            Forgetful::new,
            UnaryOperator.identity()));
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(),
        EnumSet.complementOf(EnumSet.of(Invariant.PROGRESS)),
        () ->
            new ControllersScenario(
                defect.name(), defect.interception().get(), defect.machine(), defect.kinds()));
  }

  /** An interception that changes the messages between controllers. */
  private abstract static class Gossip implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Envelope envelope
          ? new Envelope(envelope.group(), envelope.to(), said(from, to, envelope.message()))
          : request;
    }

    abstract ConsensusMessage said(String from, String to, ConsensusMessage message);
  }

  private static final class Generous extends Gossip {
    @Override
    ConsensusMessage said(String from, String to, ConsensusMessage message) {
      return switch (message) {
        case PreVote vote -> new PreVote(vote.from(), vote.term(), true);
        case Vote vote -> new Vote(vote.from(), vote.term(), true);
        default -> message;
      };
    }
  }

  private static final class Believers extends Gossip {
    private final Map<String, AppendEntries> asked = new LinkedHashMap<>();

    @Override
    ConsensusMessage said(String from, String to, ConsensusMessage message) {
      if (message instanceof AppendEntries entries) {
        asked.put(from + ">" + to, entries);
      }
      AppendEntries last = asked.get(to + ">" + from);
      boolean refused =
          message instanceof NotAppended refusal && last != null && refusal.term() > last.term();
      return refused ? believed(((NotAppended) message).from(), last) : message;
    }

    private static Appended believed(ConsensusMessage.Member from, AppendEntries last) {
      long index = last.previousIndex() + last.entries().size();
      return new Appended(from, last.term(), index, last.query(), last.flow());
    }
  }

  private static final class Forgetful implements Interception {
    private long sent;

    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Submit submit
          ? new Submit(submit.sender() + "/" + sent++, 1, 1, submit.request())
          : request;
    }
  }
}
