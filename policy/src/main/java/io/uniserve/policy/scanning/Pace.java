package io.uniserve.policy.scanning;

/**
 * The paces of a scan's client and of the servers that read for it, as counters that only grow. A
 * client that asks for each page shows when it waits. So its pace without waiting is known, which
 * is the greatest rate at which it could consume (PNUTS §3.1 holds that this cannot be measured,
 * since servers there send whatever they have).
 *
 * @param finished the amount of reading whose results the client has dealt with
 * @param busySeconds the time that it took for that, without waiting for pages
 * @param read the amount of reading that has arrived
 * @param slotSeconds the time for which slots were held for that
 */
public record Pace(double finished, double busySeconds, double read, double slotSeconds) {
  /** The pace of a scan whose client does not show when it waits. */
  public static final Pace UNKNOWN = new Pace(0, 0, 0, 0);

  /** Returns the rate at which a slot has read since a moment; NaN if nothing has arrived. */
  double slotRateSince(Pace before) {
    return (read - before.read) / (slotSeconds - before.slotSeconds);
  }

  /** Returns how many slots keep the client busy since a moment; NaN if that is not known. */
  double slotsSince(Pace before) {
    double work = finished - before.finished;
    double client = work / (busySeconds - before.busySeconds);
    return work > 0 && read > before.read ? client / slotRateSince(before) : Double.NaN;
  }
}
