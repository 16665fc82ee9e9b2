package io.uniserve.bench.tpch;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.DataDirectory;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The published answers at one scale factor.
 *
 * @param byQuery lines of values, the first of which names the columns; empty if there are no
 *     answers for this scale factor
 */
record PublishedAnswers(Map<Integer, List<List<String>>> byQuery) {
  static final String ARCHIVE = "sql/tpch_queries_answers_sf0.01_0.1_1.tar.xz";

  private static final List<Double> SCALES = List.of(0.01, 0.1, 1.0);

  static PublishedAnswers at(double scale, DataDirectory data) {
    if (!SCALES.contains(scale)) {
      return new PublishedAnswers(Map.of());
    }
    Path archive = data.file(ARCHIVE);
    Map<Integer, List<List<String>>> answers = new LinkedHashMap<>();
    String folder = "answers/sf" + (scale == 1 ? "1" : Double.toString(scale));
    Pattern name = Pattern.compile(Pattern.quote(folder) + "/q(\\d\\d)\\.csv");
    try (InputStream in = new BufferedInputStream(Files.newInputStream(archive));
        TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Matcher query = name.matcher(entry.getName());
        if (query.matches()) {
          String text = new String(tar.readAllBytes(), StandardCharsets.UTF_8);
          answers.put(Integer.parseInt(query.group(1)), lines(text));
        }
      }
    } catch (IOException e) {
      throw new BenchException("Cannot read " + archive + ": " + e.getMessage(), e);
    }
    if (answers.size() != TpchTables.QUERIES) {
      throw new BenchException(
          "%s has %d answers in %s, not %d"
              .formatted(archive, answers.size(), folder, TpchTables.QUERIES));
    }
    return new PublishedAnswers(answers);
  }

  private static List<List<String>> lines(String text) {
    return text.lines().map(line -> List.of(line.split("\\|", -1))).toList();
  }

  /** Returns the published answer of a query, if there is one that can be compared. */
  Optional<List<List<String>>> of(int query) {
    return RowCheck.isPublished(query) ? Optional.ofNullable(byQuery.get(query)) : Optional.empty();
  }
}
