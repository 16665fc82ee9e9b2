package io.uniserve.node.demo;

import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.rows.Item;
import io.uniserve.node.rows.RowFile;
import io.uniserve.node.rows.RowReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The films of the demo, as rows for its table. The archive has no ids. A film's id is made of its
 * title and year, and of a number if several films share both, so that it is the same in every run.
 */
final class Movies implements AutoCloseable {
  /** The number of films. */
  static final int COUNT = 36_273;

  private static final String ARCHIVE = "wikipedia_movies.tar.xz";
  private static final List<String> KEPT =
      List.of("cast", "genres", "href", "extract", "thumbnail");

  private final RowReader rows;
  private final Set<String> ids = new HashSet<>();

  private Movies(RowReader rows) {
    this.rows = rows;
  }

  /** Begins to read the archive. */
  static Movies open() {
    InputStream archive = Movies.class.getResourceAsStream("/demo/" + ARCHIVE);
    if (archive == null) {
      throw new IllegalStateException("the program lacks its resource demo/" + ARCHIVE);
    }
    return new Movies(RowFile.open(ARCHIVE, archive, read -> {}));
  }

  /** Returns the next film, or empty after the last. */
  Optional<Map<String, Object>> next() {
    try {
      return rows.next().map(this::row);
    } catch (IOException e) {
      throw new IllegalStateException("the archive of films is damaged", e);
    }
  }

  /** Returns the next films, at most this many. */
  List<Map<String, Object>> next(int count) {
    List<Map<String, Object>> films = new ArrayList<>();
    while (films.size() < count) {
      Optional<Map<String, Object>> film = next();
      if (film.isEmpty()) {
        break;
      }
      films.add(film.get());
    }
    return films;
  }

  private Map<String, Object> row(Item item) {
    if (!(item instanceof Item.Row found)) {
      throw new IllegalStateException("the archive of films is damaged: " + item);
    }
    Map<String, Object> film =
        Settings.object("a film", Json.parse(found.json(), 0, found.json().length));
    Map<String, Object> row = new LinkedHashMap<>();
    String title = (String) film.get("title");
    long year = (Long) film.get("year");
    row.put("id", id(title, year));
    row.put("title", title);
    row.put("year", year);
    row.put("decade", year / 10 * 10 + "s");
    for (String field : KEPT) {
      if (film.get(field) != null) {
        row.put(field, film.get(field));
      }
    }
    return row;
  }

  private String id(String title, long year) {
    String words =
        title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String base = (words.isEmpty() ? "untitled" : words) + "-" + year;
    String id = base;
    for (int number = 2; !ids.add(id); number++) {
      id = base + "-" + number;
    }
    return id;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
