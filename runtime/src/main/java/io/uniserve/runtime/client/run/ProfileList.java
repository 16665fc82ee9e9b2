package io.uniserve.runtime.client.run;

import io.uniserve.api.PlanProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The profiles of one plan's queries, which may run at the same time. */
public final class ProfileList {
  private final ReentrantLock lock = new ReentrantLock();
  private final List<PlanProfile> profiles = new ArrayList<>();

  void add(PlanProfile profile) {
    lock.lock();
    try {
      profiles.add(profile);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the profiles in the order in which the queries ended. */
  public List<PlanProfile> all() {
    lock.lock();
    try {
      return List.copyOf(profiles);
    } finally {
      lock.unlock();
    }
  }
}
