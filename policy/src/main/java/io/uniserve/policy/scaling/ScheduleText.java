package io.uniserve.policy.scaling;

import io.uniserve.api.error.UniserveException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parser of schedules. A schedule has parts with semicolons between them: any number of {@code
 * [DAYS] HH:MM-HH:MM=SERVERS}, one {@code else=SERVERS}, and at most one {@code zone=NAME}. Days
 * are {@code mon}, {@code mon-fri} or {@code sat,sun}; without them, every day. Any other text is
 * refused.
 */
final class ScheduleText {
  private static final int ENTRIES_MAX = 100;
  private static final Pattern ENTRY =
      Pattern.compile("(?:([a-z,-]+) +)?(\\d\\d:\\d\\d)-(\\d\\d:\\d\\d)=(\\d{1,4})");
  private static final Pattern NAMED = Pattern.compile("(else|zone)=(\\S+)");
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  private final List<Schedule.Entry> entries = new ArrayList<>();
  private Optional<Integer> otherwise = Optional.empty();
  private Optional<ZoneId> zone = Optional.empty();

  private ScheduleText() {}

  /**
   * Reads a schedule.
   *
   * @throws UniserveException naming the part that is not understood
   */
  static Schedule parse(String text) {
    ScheduleText reading = new ScheduleText();
    for (String part : text.split(";", -1)) {
      reading.add(part.strip());
    }
    int rest =
        reading.otherwise.orElseThrow(
            () -> UniserveException.invalid("schedule '" + text + "' lacks else=SERVERS"));
    return new Schedule(reading.entries, rest, reading.zone.orElse(ZoneId.of("UTC")));
  }

  private void add(String part) {
    Matcher entry = ENTRY.matcher(part);
    Matcher named = NAMED.matcher(part);
    if (entry.matches()) {
      if (entries.size() == ENTRIES_MAX) {
        throw UniserveException.invalid("a schedule has at most " + ENTRIES_MAX + " entries");
      }
      entries.add(entry(part, entry));
    } else if (named.matches() && named.group(1).equals("else") && otherwise.isEmpty()) {
      otherwise = Optional.of(size(part, named.group(2)));
    } else if (named.matches() && named.group(1).equals("zone") && zone.isEmpty()) {
      zone = Optional.of(zone(named.group(2)));
    } else {
      throw UniserveException.invalid(
          "schedule: '"
              + part
              + "' is not understood; parts are '[DAYS] HH:MM-HH:MM=SERVERS', one 'else=SERVERS'"
              + " and at most one 'zone=NAME'");
    }
  }

  private static Schedule.Entry entry(String part, Matcher matcher) {
    LocalTime from = time(part, matcher.group(2));
    LocalTime to = time(part, matcher.group(3));
    if (from.equals(to)) {
      throw UniserveException.invalid(
          "schedule: '" + part + "' is empty; the whole day is said by 'else'");
    }
    return new Schedule.Entry(
        days(part, matcher.group(1)), from, to, size(part, matcher.group(4)), part);
  }

  private static Set<DayOfWeek> days(String part, String text) {
    if (text == null) {
      return Collections.unmodifiableSet(EnumSet.allOf(DayOfWeek.class));
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String range : text.split(",", -1)) {
      String[] ends = range.split("-", -1);
      if (ends.length > 2) {
        throw UniserveException.invalid("schedule: '" + part + "': '" + range + "' are no days");
      }
      DayOfWeek last = day(part, ends[ends.length - 1]);
      DayOfWeek day = day(part, ends[0]);
      days.add(day);
      while (day != last) {
        day = day.plus(1);
        days.add(day);
      }
    }
    return Collections.unmodifiableSet(days);
  }

  private static DayOfWeek day(String part, String name) {
    int number = DAYS.indexOf(name.toLowerCase(Locale.ROOT));
    if (number < 0) {
      throw UniserveException.invalid(
          "schedule: '" + part + "': '" + name + "' is no day; days are " + DAYS);
    }
    return DayOfWeek.of(number + 1);
  }

  private static LocalTime time(String part, String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeException e) {
      throw UniserveException.invalid(
          "schedule: '" + part + "': '" + text + "' is no time of day; they are 00:00 to 23:59");
    }
  }

  private static int size(String part, String text) {
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw UniserveException.invalid(
          "schedule: '" + part + "': '" + text + "' is no number of servers");
    }
    return Integer.parseInt(text);
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw UniserveException.invalid("schedule: there is no time zone '" + name + "'");
    }
  }
}
