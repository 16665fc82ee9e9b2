package io.uniserve.node.load;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Lines of updates and reads of an ordered table, which take effect in their order. What is there
 * is sent together, up to a bound; the next lines follow once all of these have their outcomes.
 */
public final class SessionLines {
  /** The way on which each update has a place in the order of the table. */
  public static final String ORDER = "order";

  private static final int LINES_MAX = 1_000;
  private static final int BYTES_MAX = 1 << 20;

  private final RemoteCluster cluster;
  private final String path;
  private final Consumer<String> answers;
  private boolean failed;

  /**
   * @param way {@link #ORDER}, or {@code short} for the short way of updates of one actor
   * @param answers takes the last answer of each line, in the order of the lines
   */
  public SessionLines(RemoteCluster cluster, String table, String way, Consumer<String> answers) {
    this.cluster = cluster;
    this.path =
        "/api/tables/" + RemoteCluster.part(table) + "/ordered?way=" + RemoteCluster.part(way);
    this.answers = answers;
  }

  /** Returns whether a line so far was refused by an actor, or failed. */
  public boolean failed() {
    return failed;
  }

  /**
   * Sends all lines, and returns once each has its outcome.
   *
   * @param name the name of their source, for messages
   * @throws UniserveException if the cluster cannot be asked any more; it names the lines whose
   *     outcomes are unknown, and none after them was sent
   */
  public void send(String name, InputStream in) throws IOException {
    long before = 0;
    int bytes = 0;
    List<byte[]> lines = new ArrayList<>();
    for (byte[] line = line(in); line.length > 0; line = line(in)) {
      lines.add(line);
      bytes += line.length;
      if (lines.size() == LINES_MAX || bytes >= BYTES_MAX || in.available() == 0) {
        send(name, before, lines);
        before += lines.size();
        bytes = 0;
        lines.clear();
      }
    }
    if (!lines.isEmpty()) {
      send(name, before, lines);
    }
  }

  /** Returns the next line with its end; nothing at the end of all. */
  private static byte[] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      line.write(next);
      if (next == '\n') {
        break;
      }
      if (line.size() > BYTES_MAX) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE, "a line has more than " + BYTES_MAX + " bytes");
      }
    }
    return line.toByteArray();
  }

  private void send(String name, long before, List<byte[]> lines) {
    SortedMap<Long, Map<String, Object>> told = new TreeMap<>();
    Optional<UniserveException> failure = Optional.empty();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                cluster.streamLines(path, joined(lines)), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Map<String, Object> answer = Settings.object("the answer", Json.parse(line));
        if (!answer.containsKey("stable")) {
          told.put((Long) answer.get("line"), answer);
        }
      }
    } catch (IOException e) {
      failure = Optional.of(new UniserveException(ErrorCode.UNAVAILABLE, e.toString(), e));
    } catch (UniserveException e) {
      if (!e.retryable()) {
        throw e;
      }
      failure = Optional.of(e);
    }
    told.forEach((line, answer) -> tell(before + line, answer));
    for (long line = 1; line <= lines.size(); line++) {
      if (!told.containsKey(line) && !isBlank(lines.get((int) line - 1))) {
        throw UniserveException.unknownOutcome(
            ErrorCode.UNAVAILABLE,
            "the outcome of lines %d to %d of %s is unknown%s"
                .formatted(
                    before + line,
                    before + lines.size(),
                    name,
                    failure.map(e -> ": " + e.getMessage()).orElse("")));
      }
    }
  }

  private static boolean isBlank(byte[] line) {
    return new String(line, StandardCharsets.UTF_8).isBlank();
  }

  private static byte[] joined(List<byte[]> lines) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    lines.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private void tell(long line, Map<String, Object> answer) {
    Map<String, Object> document = new LinkedHashMap<>(answer);
    document.put("line", line);
    failed |= answer.containsKey("error") || Boolean.FALSE.equals(answer.get("applied"));
    answers.accept(new String(Json.bytes(document), StandardCharsets.UTF_8));
  }
}
