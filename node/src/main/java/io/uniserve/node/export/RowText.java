package io.uniserve.node.export;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A form in which records are written. */
sealed interface RowText {
  /** Writes a record, given as JSON. */
  void write(byte[] record, OutputStream out) throws IOException;

  /** Writes what comes after the last record. */
  void finish(OutputStream out) throws IOException;

  /** JSON lines. */
  record Lines() implements RowText {
    @Override
    public void write(byte[] record, OutputStream out) throws IOException {
      out.write(record);
      out.write('\n');
    }

    @Override
    public void finish(OutputStream out) {
      // nothing comes after the last line
    }
  }

  /** Separated values, as RFC 4180 describes them, after a line with the names of the columns. */
  final class Separated implements RowText {
    private final List<String> columns;
    private final Set<String> known;
    private boolean begun;

    /**
     * Creates the form.
     *
     * @param columns the columns; none for those of the first record
     */
    Separated(List<String> columns) {
      this.columns = new ArrayList<>(columns);
      this.known = new HashSet<>(columns);
    }

    @Override
    public void write(byte[] record, OutputStream out) throws IOException {
      Map<String, Object> fields =
          Settings.object("a record", Json.parse(record, 0, record.length));
      if (columns.isEmpty()) {
        columns.addAll(fields.keySet());
        known.addAll(columns);
      }
      begin(out);
      for (String name : fields.keySet()) {
        if (!known.contains(name)) {
          throw UniserveException.invalid(
              "a record has a field '"
                  + Excerpt.of(name)
                  + "' that is no column of the file; name the columns by --fields");
        }
      }
      List<String> values = new ArrayList<>();
      columns.forEach(name -> values.add(text(fields.get(name))));
      line(values, out);
    }

    private void begin(OutputStream out) throws IOException {
      if (!begun) {
        begun = true;
        line(columns.stream().map(Separated::quoted).toList(), out);
      }
    }

    private static void line(List<String> values, OutputStream out) throws IOException {
      out.write(String.join(",", values).getBytes(StandardCharsets.UTF_8));
      out.write('\n');
    }

    private static String text(Object value) {
      return switch (value) {
        case null -> "";
        case String text -> quoted(text);
        case Map<?, ?> map -> quoted(json(map));
        case List<?> list -> quoted(json(list));
        default -> value.toString();
      };
    }

    private static String json(Object value) {
      return new String(Json.bytes(value), StandardCharsets.UTF_8);
    }

    /** Quotes a text if it is empty, unlike a value that is absent, or has special characters. */
    private static String quoted(String text) {
      boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
      return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    @Override
    public void finish(OutputStream out) throws IOException {
      if (!columns.isEmpty()) {
        begin(out);
      }
    }
  }
}
