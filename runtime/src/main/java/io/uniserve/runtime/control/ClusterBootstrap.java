package io.uniserve.runtime.control;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.SealedFile;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ControlMessage.AskGroup;
import io.uniserve.runtime.wire.ControlMessage.ControllerGroup;
import io.uniserve.runtime.wire.entry.Forms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bootstrap of a group: controllers that start with empty directories become one group, and
 * only one.
 *
 * <p>Each controller chooses an identity at random and keeps it. The first of the configured
 * addresses founds the group, once every other has answered that it belongs to none and was started
 * with the same addresses. It keeps the founding on disk before it tells anybody. All others take
 * the founding from a controller that has it. A controller whose disk was lost comes back with a
 * new identity, so it is not one of the founders. It cannot vote a second time where its former
 * self has voted, and must be added.
 */
final class ClusterBootstrap {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterBootstrap.class);
  static final Form FORM = Forms.of("a controller's group", Kept.class);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(500);

  /**
   * The data that a controller keeps on disk.
   *
   * @param id its identity
   * @param founding its group, once it knows it
   */
  @Name("Kept")
  private record Kept(String id, Optional<Founding> founding) {}

  private final Environment environment;
  private final Address address;
  private final List<Address> configured;
  private final boolean durable;
  private final Path file;
  private final Member self;
  private volatile Optional<Founding> founding;
  private String lastProblem = "";

  /**
   * @param configured the addresses of all controllers, this one included
   * @param durable true if the identity is kept; a controller that forgets its votes must not keep
   *     it
   */
  ClusterBootstrap(
      Environment environment, Address address, List<Address> configured, boolean durable)
      throws IOException {
    this.environment = environment;
    this.address = address;
    this.configured = configured.stream().sorted().distinct().toList();
    this.durable = durable;
    if (!configured.contains(address)) {
      throw UniserveException.invalid(
          "the controller at " + address + " is not one of those configured: " + configured);
    }
    file = environment.storage().root().resolve("group");
    Kept kept = read();
    self = new Member(kept.id(), address);
    founding = kept.founding();
  }

  private Kept read() throws IOException {
    if (durable && Files.exists(file)) {
      byte[] contents =
          SealedFile.openSealedSince2(Files.readAllBytes(file))
              .orElseThrow(
                  () ->
                      new UniserveException(
                          ErrorCode.CORRUPT,
                          file + ": the identity of this controller is damaged"));
      return FORM.decode(ByteBuffer.wrap(contents), Kept.class);
    }
    Kept kept = new Kept(Long.toHexString(environment.random().nextLong()), Optional.empty());
    keep(kept);
    return kept;
  }

  private void keep(Kept kept) throws IOException {
    if (durable) {
      environment.storage().replace(file, SealedFile.seal(FORM.encode(kept)));
    }
  }

  Member self() {
    return self;
  }

  /** Returns the group, if this controller has found it already. */
  Optional<Founding> known() {
    return founding;
  }

  ControllerGroup group() {
    return new ControllerGroup(self, configured, founding);
  }

  /** Returns the group if it is known; otherwise tries once to find or found it. */
  Optional<Founding> attempt() throws IOException {
    if (founding.isEmpty()) {
      List<ControllerGroup> others = askOthers();
      Optional<Founding> known =
          others.stream().flatMap(other -> other.founding().stream()).findFirst();
      if (known.isPresent()) {
        settle(known.get());
      } else if (mayFound(others)) {
        settle(found(others));
      }
    }
    return founding;
  }

  /** Waits for the group. */
  Founding await() throws IOException, InterruptedException {
    Optional<Founding> found = attempt();
    while (found.isEmpty()) {
      environment.clock().sleep(RETRY);
      found = attempt();
    }
    return found.get();
  }

  private List<ControllerGroup> askOthers() {
    List<ControllerGroup> answers = new ArrayList<>();
    for (Address other : configured) {
      if (!other.equals(address)) {
        ask(other).ifPresent(answers::add);
      }
    }
    return answers;
  }

  private Optional<ControllerGroup> ask(Address other) {
    try {
      Deadline deadline = Deadline.after(environment.clock(), ANSWER_TIMEOUT);
      return Optional.of(
          Calls.ask(environment, other, new AskGroup(), ControllerGroup.class, deadline));
    } catch (UniserveException e) {
      LOG.debug("controller {} does not answer yet: {}", other, e.getMessage());
      return Optional.empty();
    }
  }

  private boolean mayFound(List<ControllerGroup> others) {
    Optional<ControllerGroup> different =
        others.stream().filter(other -> !other.configured().equals(configured)).findFirst();
    different.ifPresent(
        other ->
            warnOnce(
                "controller "
                    + other.self().address()
                    + " was started with the controllers "
                    + other.configured()
                    + ", this one with "
                    + configured));
    return different.isEmpty()
        && others.size() == configured.size() - 1
        && configured.getFirst().equals(address);
  }

  private Founding found(List<ControllerGroup> others) {
    List<Member> members = new ArrayList<>(List.of(self));
    others.forEach(other -> members.add(other.self()));
    String group = Long.toHexString(environment.random().nextLong());
    LOG.info("controllers {} found group {}", configured, group);
    return new Founding(group, members);
  }

  private void settle(Founding found) throws IOException {
    keep(new Kept(self.id(), Optional.of(found)));
    founding = Optional.of(found);
    if (!found.members().contains(self)) {
      LOG.warn(
          "the controller at {} is new to group {} and takes no part until it is added",
          address,
          found.group());
    }
  }

  /** Logs a problem, unless it is the one logged last. */
  private void warnOnce(String problem) {
    if (!problem.equals(lastProblem)) {
      lastProblem = problem;
      LOG.warn("no group of controllers yet: {}", problem);
    }
  }
}
