package io.uniserve.bench.systems;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The corpus as a file of JSON lines, as users would load it. */
public final class DocumentFile {

  private static final ObjectMapper JSON = new ObjectMapper();

  private DocumentFile() {}

  /** Writes the file and returns the number of documents in it. */
  public static long write(Corpus corpus, Path file) {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      return corpus.forEach(document -> write(document, out));
    } catch (IOException | UncheckedIOException e) {
      throw new BenchException("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static void write(BenchDocument document, OutputStream out) {
    try {
      out.write(JSON.writeValueAsBytes(DocumentFields.of(document)));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
