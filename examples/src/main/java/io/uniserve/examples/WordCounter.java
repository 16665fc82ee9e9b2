package io.uniserve.examples;

import io.uniserve.api.*;
import io.uniserve.api.partition.*;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;

/** An engine that counts words: lines of text go in, how often a word occurs comes out. */
public final class WordCounter implements Engine<WordCounter.Text> {
  record Line(PartitionKey partitionKey, String text) implements PartitionedRecord {}

  record AddLines() implements UpdateFunction.Eventual<Text, Line> {
    public Answer update(Text text, List<Line> lines) {
      lines.forEach(line -> text.all.append(line.text).append('\n'));
      return Answer.of((long) text.all.length());
    }

    public int answerBytesMax(int lines) {
      return 32; // enough for a number
    }
  }

  record CountWord(String word) implements Operator.Retrieve<Text, Long> {
    public void retrieve(Text text, Output<Long> counts, OperatorContext context) {
      String[] words = text.all.toString().split("\\P{L}+");
      counts.put(Arrays.stream(words).filter(word::equalsIgnoreCase).count());
    }
  }

  record Text(StringBuffer all) implements Actor {
    public void serialize(Path directory) throws IOException {
      Files.writeString(directory.resolve("text"), all);
    }

    public Usage usage() {
      return new Usage(all.length(), 0);
    }
  }

  public String name() {
    return "words";
  }

  public Text create(ActorContext context) {
    return new Text(new StringBuffer());
  }

  public Text deserialize(ActorContext context) throws IOException {
    return new Text(new StringBuffer(Files.readString(context.directory().resolve("text"))));
  }

  public List<Class<? extends Record>> types() {
    return List.of(Line.class, AddLines.class, CountWord.class);
  }
}
