package io.uniserve.runtime.control;

import io.microraft.MembershipChangeMode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.control.raft.RaftMember;
import io.uniserve.runtime.control.raft.RaftMember.Progress;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.Members;
import io.uniserve.runtime.wire.ControlMessage.AskGroup;
import io.uniserve.runtime.wire.ControlMessage.ControllerGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The changes of the controllers' group, one member at a time, so that the majorities before and
 * after a change have a member in common. The same request twice is done once. For threads that may
 * wait.
 */
final class MemberChanges {
  /** The largest number of members at a time: five, and room for replacements. */
  private static final int MEMBERS_MAX = 7;

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

  private final Environment environment;
  private final Founding founding;
  private final RaftMember leader;

  MemberChanges(Environment environment, Founding founding, RaftMember leader) {
    this.environment = environment;
    this.founding = founding;
    this.leader = leader;
  }

  /**
   * Adds the controller at an address, which first learns the log and then votes.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if it does not answer or is not
   *     level before the deadline
   */
  void add(Address address, Deadline deadline) {
    Member joining = identity(address, deadline);
    Members members = leader.members();
    if (members.members().size() >= MEMBERS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a group has at most " + MEMBERS_MAX + " controllers");
    }
    if (!members.members().contains(joining)) {
      change(joining, MembershipChangeMode.ADD_LEARNER, deadline);
    }
    awaitLevel(joining, deadline);
    if (!leader.members().voting().contains(joining)) {
      change(joining, MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER, deadline);
    }
  }

  private Member identity(Address address, Deadline deadline) {
    ControllerGroup group =
        Calls.ask(environment, address, new AskGroup(), ControllerGroup.class, deadline);
    Optional<String> known = group.founding().map(Founding::group);
    if (!known.equals(Optional.of(founding.group()))) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "the controller at "
              + address
              + known.map(other -> " belongs to group " + other).orElse(" knows of no group yet"));
    }
    return group.self();
  }

  private void awaitLevel(Member joining, Deadline deadline) {
    long goal = progress(deadline).committed();
    while (progress(deadline).matches().getOrDefault(joining, 0L) < goal) {
      deadline.check(
          environment.clock(), "controller " + joining.address() + " to receive the log");
      pause();
    }
  }

  private void pause() {
    try {
      environment.clock().sleep(LOOK_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  /**
   * Removes a member.
   *
   * @param controller its identity, or its address
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}, or with {@link
   *     ErrorCode#INVALID_ARGUMENT} if the remaining members within reach would be no majority
   */
  void remove(String controller, Deadline deadline) {
    Member leaving = find(controller);
    List<Member> left =
        leader.members().voting().stream().filter(member -> !member.equals(leaving)).toList();
    long heard = progress(deadline).heard().stream().filter(left::contains).count();
    if (heard <= left.size() / 2) {
      throw UniserveException.invalid(
          "without controller "
              + controller
              + " only "
              + heard
              + " of "
              + left.size()
              + " are within reach");
    }
    change(leaving, MembershipChangeMode.REMOVE_MEMBER, deadline);
  }

  private Member find(String controller) {
    List<Member> named =
        leader.members().members().stream()
            .filter(
                member ->
                    member.id().equals(controller) || member.address().value().equals(controller))
            .toList();
    if (named.isEmpty()) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "no controller is named " + controller);
    }
    if (named.size() > 1) {
      throw UniserveException.invalid("several controllers are named " + controller + ": " + named);
    }
    return named.getFirst();
  }

  private Progress progress(Deadline deadline) {
    Promise<Progress> promise = new Promise<>(environment.threads());
    leader.progress(promise::complete);
    return promise.await(deadline, "the progress of controllers");
  }

  private void change(Member member, MembershipChangeMode mode, Deadline deadline) {
    Promise<Boolean> promise = new Promise<>(environment.threads());
    leader.change(
        member,
        mode,
        leader.members().index(),
        failure ->
            failure.ifPresentOrElse(
                e ->
                    promise.fail(
                        new UniserveException(
                            ErrorCode.UNAVAILABLE,
                            "the controllers could not be changed: " + UniserveException.reason(e),
                            e)),
                () -> promise.complete(true)));
    promise.await(deadline, "the change of controller " + member.address());
  }
}
