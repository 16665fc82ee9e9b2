package io.uniserve.node.script;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands that a page shows.
 *
 * @param commands one or more lines of a shell
 * @param answer the output that the page shows in the block after theirs; empty if there is none
 */
record ShellBlock(String commands, String answer) {
  private static final String FENCE = "```";

  /** Returns the blocks of a page, in order. */
  static List<ShellBlock> of(Path page) throws IOException {
    List<ShellBlock> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    boolean answers = false; // only empty lines came after the last block
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.startsWith(FENCE)) {
        answers &= line.isEmpty();
        continue;
      }
      int end = i + 1;
      while (!lines.get(end).equals(FENCE)) {
        end++;
      }
      String text = String.join("\n", lines.subList(i + 1, end)) + "\n";
      if (line.equals(FENCE + "sh")) {
        blocks.add(new ShellBlock(text, ""));
      } else if (line.equals(FENCE) && answers) {
        blocks.add(new ShellBlock(blocks.removeLast().commands, text));
      }
      answers = line.equals(FENCE + "sh");
      i = end;
    }
    return blocks;
  }
}
