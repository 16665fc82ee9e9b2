package io.uniserve.simulation.scenario.cluster.recording;

import io.uniserve.api.Consistency;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent;
import io.uniserve.simulation.scenario.cluster.recording.Recording.Moment;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A recording as text: the table, then one event a line, in order. An operation is {@code
 * key:number}, a list has commas, a map semicolons, and an empty value is {@code -}.
 */
final class RecordingText {
  private static final String COMMENT = "#";
  private static final String EMPTY = "-";

  private RecordingText() {}

  static String text(Recording recording, List<String> comment) {
    StringBuilder text = new StringBuilder();
    comment.forEach(line -> text.append(COMMENT).append(' ').append(line).append('\n'));
    text.append(recording.table().actors() + " " + recording.table().consistency() + "\n");
    for (Moment moment : recording.moments()) {
      text.append(moment.atMillis()).append(' ').append(line(moment.event())).append('\n');
    }
    return text.toString();
  }

  private static String line(HistoryEvent event) {
    return switch (event) {
      case HistoryEvent.Begun e -> words("begun", e.client(), e.key(), operations(e.operations()));
      case HistoryEvent.ToldToRetry e -> words("retry", e.key());
      case HistoryEvent.SentAgain e -> words("again", e.key());
      case HistoryEvent.Submitted e -> words("submitted", e.session(), e.key());
      case HistoryEvent.MayGoShort e -> words("short", e.key());
      case HistoryEvent.Stable e -> words("stable", e.key(), e.number());
      case HistoryEvent.Cut e -> words("cut", e.read(), e.session().orElse(EMPTY));
      case HistoryEvent.CutAnswered e ->
          words("cut-answered", e.read(), map(e.journals(), RecordingText::operations));
      case HistoryEvent.Acknowledged e ->
          words(
              "acknowledged",
              e.key(),
              e.level(),
              map(e.positions(), Position::toString),
              e.version());
      case HistoryEvent.Asked e -> words("asked", e.query(), e.client(), e.everybody());
      case HistoryEvent.Answered e ->
          words("answered", e.query(), map(e.journals(), RecordingText::operations));
      case HistoryEvent.AnsweredInPart e ->
          words(
              "partly",
              e.query(),
              map(e.journals(), RecordingText::operations),
              e.asked(),
              list(e.missing(), Object::toString));
      case HistoryEvent.Replied e -> words("replied", e.client(), e.actor(), e.server());
      case HistoryEvent.Prepared e ->
          words("prepared", e.transaction(), operations(e.operations()));
      case HistoryEvent.Committed e -> words("committed", e.actor(), e.transaction(), e.version());
      case HistoryEvent.Led e -> words("led", e.actor(), e.epoch());
      case HistoryEvent.Readable e -> words("readable", e.actor(), e.server(), e.readable());
      case HistoryEvent.Held e -> words("held", e.actor(), e.server(), operations(e.journal()));
    };
  }

  private static String words(Object... words) {
    return Arrays.stream(words).map(Object::toString).collect(Collectors.joining(" "));
  }

  private static String operations(List<Operation> operations) {
    return list(operations, operation -> operation.key() + ":" + operation.number());
  }

  private static <T> String list(List<T> list, Function<T, String> text) {
    return list.isEmpty() ? EMPTY : list.stream().map(text).collect(Collectors.joining(","));
  }

  private static <T> String map(SortedMap<Integer, T> map, Function<T, String> text) {
    return map.isEmpty()
        ? EMPTY
        : map.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + text.apply(entry.getValue()))
            .collect(Collectors.joining(";"));
  }

  static Recording read(String text) {
    List<String> lines =
        text.lines().filter(line -> !line.isBlank() && !line.startsWith(COMMENT)).toList();
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("a recording begins with its table");
    }
    Words table = new Words(lines.getFirst());
    int actors = table.number();
    Consistency level = Consistency.valueOf(table.word());
    List<Moment> moments = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      try {
        Words words = new Words(line);
        moments.add(new Moment(words.longNumber(), event(words)));
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        throw new IllegalArgumentException("not a line of a recording: " + line, e);
      }
    }
    return new Recording(ClusterShape.recorded(actors, level), moments);
  }

  private static HistoryEvent event(Words words) {
    String kind = words.word();
    return switch (kind) {
      case "begun" -> new HistoryEvent.Begun(words.word(), words.word(), words.operations());
      case "retry" -> new HistoryEvent.ToldToRetry(words.word());
      case "again" -> new HistoryEvent.SentAgain(words.word());
      case "submitted" -> new HistoryEvent.Submitted(words.word(), words.word());
      case "short" -> new HistoryEvent.MayGoShort(words.word());
      case "stable" -> new HistoryEvent.Stable(words.word(), words.longNumber());
      case "cut" ->
          new HistoryEvent.Cut(
              words.longNumber(), Optional.of(words.word()).filter(word -> !word.equals(EMPTY)));
      case "cut-answered" ->
          new HistoryEvent.CutAnswered(words.longNumber(), words.map(RecordingText::operations));
      case "acknowledged" ->
          new HistoryEvent.Acknowledged(
              words.word(),
              Acknowledgement.valueOf(words.word()),
              words.map(RecordingText::position),
              words.longNumber());
      case "asked" -> new HistoryEvent.Asked(words.longNumber(), words.word(), words.truth());
      case "answered" ->
          new HistoryEvent.Answered(words.longNumber(), words.map(RecordingText::operations));
      case "partly" ->
          new HistoryEvent.AnsweredInPart(
              words.longNumber(),
              words.map(RecordingText::operations),
              words.number(),
              list(words.word(), Integer::parseInt));
      case "replied" -> new HistoryEvent.Replied(words.word(), words.number(), words.word());
      case "prepared" -> new HistoryEvent.Prepared(words.word(), words.operations());
      case "committed" ->
          new HistoryEvent.Committed(words.number(), words.word(), words.longNumber());
      case "led" -> new HistoryEvent.Led(words.number(), words.longNumber());
      case "readable" -> new HistoryEvent.Readable(words.number(), words.word(), words.truth());
      case "held" -> new HistoryEvent.Held(words.number(), words.word(), words.operations());
      default -> throw new IllegalArgumentException("'" + kind + "' is no event");
    };
  }

  /** The words of a line, one after another. */
  private static final class Words {
    private final String[] words;
    private int next;

    Words(String line) {
      words = line.split(" ");
    }

    String word() {
      return words[next++];
    }

    int number() {
      return Integer.parseInt(word());
    }

    long longNumber() {
      return Long.parseLong(word());
    }

    boolean truth() {
      return Boolean.parseBoolean(word());
    }

    List<Operation> operations() {
      return RecordingText.operations(word());
    }

    <T> SortedMap<Integer, T> map(Function<String, T> value) {
      SortedMap<Integer, T> map = new TreeMap<>();
      String text = word();
      for (String entry : text.equals(EMPTY) ? new String[0] : text.split(";")) {
        String[] pair = entry.split("=", 2);
        map.put(Integer.parseInt(pair[0]), value.apply(pair[1]));
      }
      return map;
    }
  }

  private static List<Operation> operations(String text) {
    return list(
        text,
        pair -> {
          long[] numbers = pair(pair);
          return new Operation(numbers[0], numbers[1]);
        });
  }

  private static Position position(String text) {
    long[] numbers = pair(text);
    return new Position(numbers[0], numbers[1]);
  }

  private static long[] pair(String text) {
    String[] pair = text.split(":", 2);
    return new long[] {Long.parseLong(pair[0]), Long.parseLong(pair[1])};
  }

  private static <T> List<T> list(String text, Function<String, T> value) {
    return text.equals(EMPTY) ? List.of() : Arrays.stream(text.split(",")).map(value).toList();
  }
}
