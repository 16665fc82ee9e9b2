package io.uniserve.node.rows;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The files of a tar archive, one after another; each may have its own format. */
final class TarRows implements RowReader {
  private final String archive;
  private final TarArchiveInputStream tar;
  private Optional<RowReader> member = Optional.empty();

  TarRows(String archive, InputStream in) {
    this.archive = archive;
    tar = new TarArchiveInputStream(in);
  }

  @Override
  public Optional<Item> next() throws IOException {
    while (true) {
      if (member.isPresent()) {
        Optional<Item> item = member.get().next();
        if (item.isPresent()) {
          return item;
        }
        member.get().close();
      }
      member = nextMember();
      if (member.isEmpty()) {
        return Optional.empty();
      }
    }
  }

  private Optional<RowReader> nextMember() throws IOException {
    TarArchiveEntry entry = tar.getNextEntry();
    while (entry != null && !entry.isFile()) {
      entry = tar.getNextEntry();
    }
    if (entry == null) {
      return Optional.empty();
    }
    String name = archive + "!" + entry.getName();
    BufferedInputStream in = Encodings.decompressed(name, new Unclosed(tar));
    return Optional.of(Format.of(name, in).reader(name, in));
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }

  /** A stream whose end is not the archive's. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {
      // the archive is closed with its own reader
    }
  }
}
