package io.uniserve.policy.scaling;

import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.api.policy.ScalingView;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;

/**
 * A policy that sets a size for each time of the week, regardless of the load (DPA §4.5 leaves such
 * policies to the developer). The first entry that is in force counts.
 *
 * <p><b>Example.</b> {@code mon-fri 08:00-18:00=6; 22:00-06:00=1; else=2}: on a Tuesday at noon 6;
 * on any day at 23:00, and until 06:00 of the next one, 1; otherwise 2.
 */
public final class Schedule implements ScalingPolicy {
  private final List<Entry> entries;
  private final int otherwise;
  private final ZoneId zone;

  /**
   * Makes the policy.
   *
   * @param entries the entries, of which the first that is in force counts
   * @param otherwise the size while none is in force
   * @param zone the time zone of the entries
   */
  public Schedule(List<Entry> entries, int otherwise, ZoneId zone) {
    this.entries = List.copyOf(entries);
    this.otherwise = otherwise;
    this.zone = zone;
  }

  /**
   * A time of the week.
   *
   * @param days the days on which it begins
   * @param from the time at which it begins
   * @param to the time at which it ends; on the next day if it is not after {@code from}
   * @param servers the size
   * @param text the text that it was read from
   */
  public record Entry(Set<DayOfWeek> days, LocalTime from, LocalTime to, int servers, String text) {
    boolean inForce(ZonedDateTime now) {
      LocalTime time = now.toLocalTime();
      DayOfWeek today = now.getDayOfWeek();
      if (from.isBefore(to)) {
        return days.contains(today) && !time.isBefore(from) && time.isBefore(to);
      }
      return !time.isBefore(from)
          ? days.contains(today)
          : time.isBefore(to) && days.contains(today.minus(1));
    }
  }

  @Override
  public String name() {
    return "schedule";
  }

  @Override
  public Decision decide(ScalingView view) {
    ZonedDateTime now = view.now().atZone(zone);
    return entries.stream()
        .filter(entry -> entry.inForce(now))
        .findFirst()
        .map(entry -> new Decision(entry.servers(), "the schedule has " + entry.text()))
        .orElseGet(() -> new Decision(otherwise, "the schedule has else=" + otherwise));
  }
}
