package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.codec.Since;
import java.util.ArrayList;
import java.util.List;

/**
 * The replacement of a table by another, which has its updates only up to a moment.
 *
 * @param former the identity of the replaced table
 * @param timeMillis the time, in milliseconds since 1970
 * @param why the reason: who decided it, and what is lost
 * @param earlier the identities of the tables that the replaced one had replaced, one after
 *     another; the oldest are forgotten
 */
public record Recovery(long former, long timeMillis, String why, @Since(2) List<Long> earlier) {
  /** The number of earlier tables that are remembered. */
  static final int EARLIER_MAX = 100;

  /** Copies the list. */
  public Recovery {
    earlier = List.copyOf(earlier);
  }

  /** Returns the replacement of a table, which may have replaced others itself. */
  static Recovery of(TableState replaced, long timeMillis, String why) {
    List<Long> earlier = new ArrayList<>();
    replaced
        .recovery()
        .ifPresent(
            before -> {
              earlier.addAll(before.earlier());
              earlier.add(before.former());
            });
    int forgotten = Math.max(0, earlier.size() - EARLIER_MAX);
    return new Recovery(replaced.id(), timeMillis, why, earlier.subList(forgotten, earlier.size()));
  }

  /** Returns whether a table was replaced by this one, or by one that this has replaced. */
  public boolean replaced(long table) {
    return former == table || earlier.contains(table);
  }
}
