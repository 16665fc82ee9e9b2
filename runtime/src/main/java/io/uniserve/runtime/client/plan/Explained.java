package io.uniserve.runtime.client.plan;

import io.uniserve.api.PlanProfile;
import java.util.List;

/**
 * An answer, and where the time went.
 *
 * @param result the answer
 * @param plans one for each query that was run, sub-queries first
 * @param <R> the answer
 */
public record Explained<R>(R result, List<PlanProfile> plans) {
  /** Copies the list. */
  public Explained {
    plans = List.copyOf(plans);
  }

  /** Returns all of it as text. */
  public String text() {
    StringBuilder text = new StringBuilder();
    plans.forEach(plan -> text.append(plan.text()));
    return text.toString();
  }
}
