package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A failure of an update that some of its actors have applied and others have not, at a level
 * without aborts. It has the code of the first actor that has not.
 */
public final class PartlyAppliedException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private final transient SortedSet<ActorId> applied;
  private final transient SortedMap<ActorId, UniserveException> failures;

  /**
   * Makes the failure.
   *
   * @param applied the actors that have applied the update, at least one
   * @param failures the failures of the others, at least one
   */
  public PartlyAppliedException(
      SortedSet<ActorId> applied, SortedMap<ActorId, UniserveException> failures) {
    super(first(failures).code(), message(applied, failures), first(failures));
    this.applied = Collections.unmodifiableSortedSet(new TreeSet<>(applied));
    this.failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
    failures.values().stream().skip(1).forEach(this::addSuppressed);
  }

  private static UniserveException first(SortedMap<ActorId, UniserveException> failures) {
    return failures.firstEntry().getValue();
  }

  private static String message(
      SortedSet<ActorId> applied, SortedMap<ActorId, UniserveException> failures) {
    return first(failures).getMessage()
        + " (refused by actors "
        + failures.keySet().stream().map(ActorId::number).toList()
        + "; it was applied on actors "
        + applied.stream().map(ActorId::number).toList()
        + ")";
  }

  /** Returns the actors that have applied the update. */
  public SortedSet<ActorId> applied() {
    return applied;
  }

  /** Returns the failures of the other actors. */
  public SortedMap<ActorId, UniserveException> failures() {
    return failures;
  }
}
