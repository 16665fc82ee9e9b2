package io.uniserve.examples;

import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.examples.WordCounter.AddLines;
import io.uniserve.examples.WordCounter.CountWord;
import io.uniserve.examples.WordCounter.Line;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Counts words with {@link WordCounter} on a cluster of four servers in this process, before and
 * after one of them is lost.
 */
public final class CountWords {
  static final List<String> WORDS = List.of("the", "film", "silent", "train", "moon");

  private static final String TABLE = "films";

  private CountWords() {}

  /** Runs the example; its arguments are not used. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("count-words");
    run(directory, System.out);
    System.out.println("the cluster's files are in " + directory);
  }

  static void run(Path directory, PrintStream out) throws IOException {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 4, new WordCounter())) {
      UniserveClient client = cluster.client();
      client.createTable(
          new TableDefinition(
              TABLE, "words", new Partitioner.Hash(4), 2, Durability.ASYNCHRONOUS, Map.of()),
          Duration.ofSeconds(20));

      List<String> films = films();
      List<Object> characters =
          client.update(TABLE, new AddLines(), lines(films), UpdateOptions.ALL_COPIES).answers();
      out.println(films.size() + " films on 4 servers, 4 actors, 2 copies of each");
      out.println(characters.stream().mapToLong(Long.class::cast).sum() + " characters");
      print(client, out);

      cluster.stopServer("s2");
      out.println("without server s2");
      print(client, out);
    }
  }

  private static void print(UniserveClient client, PrintStream out) {
    for (String word : WORDS) {
      Plan<Long> plan =
          Plan.query(TABLE, new CountWord(word), Operator.Combine.fold(0L, Long::sum));
      out.printf("%6d %s%n", client.query(plan, QueryOptions.DEFAULT), word);
    }
  }

  /** Each line's number is its key: equal lines are different records. */
  private static List<Line> lines(List<String> texts) {
    List<Line> lines = new ArrayList<>();
    for (String text : texts) {
      lines.add(new Line(PartitionKey.of(lines.size()), text));
    }
    return lines;
  }

  static List<String> films() throws IOException {
    try (InputStream text = CountWords.class.getResourceAsStream("films.txt")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
