package io.uniserve.runtime.server.scan;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.plan.PlanHost;
import io.uniserve.runtime.wire.ScanMessage.Held;
import io.uniserve.runtime.wire.ScanMessage.HoldVersion;
import io.uniserve.runtime.wire.entry.ReadPoint;
import io.uniserve.runtime.wire.plan.Input;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions of actors that are kept for scans, each for as long as the call is open that asked
 * for it. A version that is kept outlives later commits, splits, merges and moves of its actor.
 */
final class HeldVersions {
  private static final Logger LOG = LoggerFactory.getLogger(HeldVersions.class);

  private final PlanHost host;
  private final Clock clock;
  private final ScanSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, Hold> held = new LinkedHashMap<>();

  private record Key(long scan, ActorId actor) {}

  /** An actor as of a version, with the number of those who use it. */
  private static final class Hold {
    private final PlanHost.ActorUse use;
    private int users = 1;

    Hold(PlanHost.ActorUse use) {
      this.use = use;
    }
  }

  /** A use of a version that is kept. Whoever has it closes it. */
  interface Use extends AutoCloseable {
    /** Returns the actor as of the version. */
    Actor actor();

    @Override
    void close();
  }

  HeldVersions(PlanHost host, ScanSettings settings) {
    this.host = host;
    this.clock = host.environment().clock();
    this.settings = settings;
  }

  /** Keeps versions until the call ends. May wait. */
  void hold(HoldVersion request, Incoming call) {
    List<Key> keys = new ArrayList<>();
    List<Integer> actors = new ArrayList<>();
    for (int place = 0; place < request.actors().size(); place++) {
      ActorId id = new ActorId(request.table(), request.actors().get(place));
      try {
        Input.OfActor of =
            new Input.OfActor(
                id,
                request.generations().get(place),
                Optional.of(new ReadPoint.Version(request.version())));
        Optional<PlanHost.ActorUse> use = host.actor(of, call.deadline());
        if (use.isPresent()) {
          Key key = new Key(request.scan(), id);
          add(key, new Hold(use.get()));
          keys.add(key);
          actors.add(id.number());
        }
      } catch (UniserveException e) {
        LOG.debug("version {} of {} is not kept: {}", request.version(), id, e.getMessage());
      }
    }
    Clock.Timer end = clock.schedule(settings.holdTimeout(), () -> end(keys, call));
    call.onCancel(
        () -> {
          end.cancel();
          keys.forEach(this::release);
        });
    call.reply(new Held(actors));
  }

  private void add(Key key, Hold hold) {
    Hold before;
    lock.lock();
    try {
      if (held.size() >= settings.heldMax()) {
        hold.use.close();
        throw new UniserveException(
            ErrorCode.OVERLOADED, held.size() + " versions are kept for scans already");
      }
      before = held.put(key, hold);
    } finally {
      lock.unlock();
    }
    if (before != null) {
      done(before);
    }
  }

  /** Ends a hold that has taken too long. */
  private void end(List<Key> keys, Incoming call) {
    keys.forEach(this::release);
    if (!call.cancelled()) {
      call.fail(
          new UniserveException(
              ErrorCode.VERSION_GONE,
              "a scan's version is kept for " + settings.holdTimeout().toSeconds() + " s at most"));
    }
  }

  private void release(Key key) {
    Hold hold;
    lock.lock();
    try {
      hold = held.remove(key);
    } finally {
      lock.unlock();
    }
    if (hold != null) {
      done(hold);
    }
  }

  private void done(Hold hold) {
    boolean last;
    lock.lock();
    try {
      last = --hold.users == 0;
    } finally {
      lock.unlock();
    }
    if (last) {
      hold.use.close();
    }
  }

  /** Returns an actor's version that is kept for a scan, if it is. */
  Optional<Use> use(long scan, ActorId actor) {
    lock.lock();
    try {
      Hold hold = held.get(new Key(scan, actor));
      if (hold == null) {
        return Optional.empty();
      }
      hold.users++;
      return Optional.of(
          new Use() {
            @Override
            public Actor actor() {
              return hold.use.actor();
            }

            @Override
            public void close() {
              done(hold);
            }
          });
    } finally {
      lock.unlock();
    }
  }

  /** Lets all versions go. */
  void close() {
    List<Key> all;
    lock.lock();
    try {
      all = List.copyOf(held.keySet());
    } finally {
      lock.unlock();
    }
    all.forEach(this::release);
  }

  /** Returns the number of versions that are kept. */
  int count() {
    lock.lock();
    try {
      return held.size();
    } finally {
      lock.unlock();
    }
  }
}
