package io.uniserve.runtime.store.backup;

import io.uniserve.runtime.wire.entry.Position;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * One object of an actor's history in the durable store. Its name has everything that is needed to
 * derive the history, so that a listing is enough. The writer is part of the name: no primary ever
 * replaces another's object.
 */
public sealed interface HistoryItem {

  /** Returns the last part of its key. */
  String name();

  /** Returns the epoch of the primary that wrote it. */
  long writer();

  /**
   * The takeover of the history by a primary. Everything that older primaries wrote after this
   * position, now or later, is void. It is written before the primary adds anything.
   *
   * @param writer the epoch of the primary
   * @param after the last position of the history that it continues
   * @param continuous false if it does not continue the history that the store has, but a
   *     checkpoint that follows
   * @param openedMillis the time, in milliseconds since 1970, by the primary's clock
   */
  record EpochStart(long writer, Position after, boolean continuous, long openedMillis)
      implements HistoryItem {
    @Override
    public String name() {
      return named(
          "reign", writer, after.epoch(), after.sequence(), continuous ? 1 : 0, openedMillis);
    }
  }

  /**
   * The manifest of a checkpoint: all the actor's files as of a position.
   *
   * @param writer the epoch of the primary
   * @param position the position of the last update in it
   * @param timeMillis the time of that update, see {@link io.uniserve.runtime.wire.entry.LogEntry}
   */
  record Checkpoint(long writer, Position position, long timeMillis) implements HistoryItem {
    @Override
    public String name() {
      return named("checkpoint", writer, position.epoch(), position.sequence(), timeMillis);
    }
  }

  /**
   * A log object: successive updates of one epoch.
   *
   * @param writer the epoch of the primary that wrote the object
   * @param after the position before the first of them
   * @param last the position of the last, whose epoch is that of all
   * @param lastMillis the time of the last
   */
  record Log(long writer, Position after, Position last, long lastMillis) implements HistoryItem {
    @Override
    public String name() {
      return named(
          "log",
          writer,
          after.epoch(),
          after.sequence(),
          last.epoch(),
          last.sequence(),
          lastMillis);
    }
  }

  /**
   * A gap: updates that the store lacks, none of which it had to keep before they were
   * acknowledged. A later checkpoint has their effects. It is written before that checkpoint, so
   * that a lost log object is not taken for such a gap.
   *
   * @param writer the epoch of the primary
   * @param after the last position before the gap
   * @param last the last position in it, which is that of the checkpoint
   */
  record Gap(long writer, Position after, Position last) implements HistoryItem {
    @Override
    public String name() {
      return named("gap", writer, after.epoch(), after.sequence(), last.epoch(), last.sequence());
    }
  }

  private static String named(String kind, long... numbers) {
    return LongStream.of(numbers)
        .mapToObj(Long::toString)
        .collect(Collectors.joining("-", kind + "-", ""));
  }

  /** Returns the item of this name; empty for any other name. */
  static Optional<HistoryItem> parse(String name) {
    Matcher matcher = Names.ANY.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String[] parts = matcher.group(2).split("-");
    long[] n = new long[parts.length];
    for (int i = 0; i < n.length; i++) {
      n[i] = Long.parseLong(parts[i]);
    }
    return switch (matcher.group(1) + n.length) {
      case "reign5" -> Optional.of(new EpochStart(n[0], new Position(n[1], n[2]), n[3] == 1, n[4]));
      case "checkpoint4" -> Optional.of(new Checkpoint(n[0], new Position(n[1], n[2]), n[3]));
      case "gap5" -> Optional.of(new Gap(n[0], new Position(n[1], n[2]), new Position(n[3], n[4])));
      case "log6" ->
          Optional.of(new Log(n[0], new Position(n[1], n[2]), new Position(n[3], n[4]), n[5]));
      default -> Optional.empty();
    };
  }

  /** The form of names. */
  final class Names {
    private static final Pattern ANY =
        Pattern.compile("(reign|checkpoint|gap|log)-(\\d{1,18}(?:-\\d{1,18}){3,5})");

    private Names() {}
  }
}
