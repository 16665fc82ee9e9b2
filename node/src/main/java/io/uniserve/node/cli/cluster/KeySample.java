package io.uniserve.node.cli.cluster;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.json.Json;
import io.uniserve.node.rows.FormattedRows;
import io.uniserve.node.rows.Item;
import io.uniserve.node.rows.RowFile;
import io.uniserve.node.rows.RowReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The keys of some records of a file, chosen by chance, each as likely as any other. */
final class KeySample {
  /** The most keys. With so many, a range of eight is off by a tenth at most, nearly always. */
  static final int KEYS_MAX = 4_000;

  private static final String ID = "id";
  private static final String PARTITION_BY = "partitionBy";

  private KeySample() {}

  /** Returns the name of the field by which records of a schema are partitioned. */
  static String fieldOf(Map<String, Object> schema) {
    return schema.get(PARTITION_BY) instanceof List<?> columns && columns.size() == 1
        ? String.valueOf(columns.getFirst())
        : ID;
  }

  /**
   * Reads a file to its end.
   *
   * @param field the field with the key
   * @throws UniserveException if a record has none, or the file is damaged
   */
  static List<String> of(Path file, String field) {
    List<String> sample = new ArrayList<>();
    Random random = new Random(0); // the same file gives the same ranges
    long count = 0;
    try (RowReader rows = open(file)) {
      Optional<Item> item = rows.next();
      while (item.isPresent()) {
        String key = key(item.get(), field);
        count++;
        if (sample.size() < KEYS_MAX) {
          sample.add(key);
        } else {
          long place = random.nextLong(count);
          if (place < KEYS_MAX) {
            sample.set((int) place, key);
          }
        }
        item = rows.next();
      }
    } catch (IOException e) {
      throw UniserveException.invalid("cannot read " + file + ": " + UniserveException.reason(e));
    }
    if (sample.isEmpty()) {
      throw UniserveException.invalid(file + " has no records, so no keys to cut a table at");
    }
    return sample;
  }

  private static RowReader open(Path file) {
    return Plugins.rowFormat(FormattedRows.ending(file))
        .map(format -> FormattedRows.open(format, file, read -> {}))
        .orElseGet(() -> RowFile.open(file, read -> {}));
  }

  private static String key(Item item, String field) {
    return switch (item) {
      case Item.Bad bad -> throw UniserveException.invalid(bad.place() + ": " + bad.why());
      case Item.Row row -> {
        Object document = Json.parse(row.json(), 0, row.json().length);
        Object key = document instanceof Map<?, ?> fields ? fields.get(field) : null;
        if (key == null) {
          throw UniserveException.invalid(
              row.place() + " has no field '" + field + "', by which the table is cut");
        }
        yield key.toString();
      }
    };
  }
}
