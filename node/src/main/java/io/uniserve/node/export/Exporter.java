package io.uniserve.node.export;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.remote.Retries;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An export of a table: a scan over HTTP whose records are written to a file. Records are written
 * once the line with the cursor after them has come. If the connection breaks, or the server that
 * it leads to, another request goes on from the last cursor, so that each record is written once.
 */
public final class Exporter {
  /** The beginning of lines that are no records. */
  private static final byte[] MARK = "{\"@scan\":".getBytes(StandardCharsets.UTF_8);

  private static final int LINE_BYTES_MAX = 256 << 20;

  private final RemoteCluster cluster;
  private final String path;
  private final Map<String, Object> request;
  private final ExportFile file;
  private final Consumer<String> waiting;
  private final Retries retries;
  private volatile long records;
  private volatile long bytes;
  private volatile double share;
  private volatile long slots;

  /**
   * Makes an export.
   *
   * @param request the parameters of the scan
   * @param waiting is told why something is asked for again
   */
  public Exporter(
      RemoteCluster cluster,
      String table,
      Map<String, Object> request,
      ExportFile file,
      Retries retries,
      Consumer<String> waiting) {
    this.cluster = cluster;
    this.path = "/api/tables/" + RemoteCluster.part(table) + "/scan";
    this.request = new LinkedHashMap<>(request);
    this.request.put("cursors", true);
    this.file = file;
    this.retries = retries;
    this.waiting = waiting;
  }

  /** Returns how many records have been written. */
  public long records() {
    return records;
  }

  /** Returns how many bytes of JSON they had. */
  public long bytes() {
    return bytes;
  }

  /** Returns the share of the work that is done, 0 to 1, as far as it is known. */
  public double share() {
    return share;
  }

  /** Returns K, the slots that the scan asks for. */
  public long slots() {
    return slots;
  }

  /**
   * Writes all records.
   *
   * @throws UniserveException if that fails after several attempts without a record
   */
  public void run() {
    boolean ended = false;
    while (!ended) {
      ended = retries.run(this::someOfIt, failure -> waiting.accept(failure.getMessage()));
    }
    file.finish();
  }

  /**
   * Reads until the end, or until the connection breaks after some records; returns true at the
   * end.
   */
  private boolean someOfIt() {
    long before = records;
    try (InputStream in = new BufferedInputStream(cluster.stream(path, request), 1 << 16)) {
      return read(in);
    } catch (IOException e) {
      UniserveException broken =
          new UniserveException(
              ErrorCode.UNAVAILABLE, "the answer broke off: " + UniserveException.reason(e), e);
      return goOn(before, broken);
    } catch (UniserveException e) {
      return goOn(before, e);
    }
  }

  private boolean goOn(long before, UniserveException failure) {
    if (records == before || !failure.retryable()) {
      throw failure;
    }
    waiting.accept(failure.getMessage());
    return false;
  }

  private boolean read(InputStream in) throws IOException {
    List<byte[]> page = new ArrayList<>();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("it ended without a last line");
      }
      if (next != '\n') {
        line.write(next);
        if (line.size() > LINE_BYTES_MAX) {
          throw new UniserveException(
              ErrorCode.TOO_LARGE, "a record of more than " + LINE_BYTES_MAX + " bytes");
        }
        continue;
      }
      byte[] whole = line.toByteArray();
      line.reset();
      if (!isMark(whole)) {
        page.add(whole);
        continue;
      }
      Map<String, Object> mark = Settings.object("the answer", Json.parse(whole, 0, whole.length));
      if (take(Settings.object("the scan's state", mark.get("@scan")), page)) {
        return true;
      }
      page.clear();
    }
  }

  private static boolean isMark(byte[] line) {
    return line.length > MARK.length && Arrays.equals(line, 0, MARK.length, MARK, 0, MARK.length);
  }

  /** Writes the records before a line of the scan's state; returns true after the last. */
  private boolean take(Map<String, Object> state, List<byte[]> page) {
    boolean complete = Boolean.TRUE.equals(state.get("complete"));
    if (state.get("error") instanceof Map<?, ?> error) {
      ErrorCode code = ErrorCode.valueOf(String.valueOf(error.get("code")));
      throw new UniserveException(code, String.valueOf(error.get("message")));
    }
    file.write(page);
    records += page.size();
    bytes += page.stream().mapToLong(record -> record.length + 1L).sum();
    if (state.get("cursor") instanceof String cursor) {
      request.put("cursor", cursor);
    }
    share = complete ? 1 : state.get("share") instanceof Double known ? known : share;
    slots = state.get("desired") instanceof Long desired ? desired : slots;
    return complete;
  }
}
