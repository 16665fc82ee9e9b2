package io.uniserve.simulation.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Hears of everything that is forced, so as to know what a crash of the machine leaves. */
interface Forcing {
  /** Of a disk whose machine never crashes: nobody needs to know. */
  Forcing UNNOTED =
      new Forcing() {
        @Override
        public void forcePrefix(Path file, long length) {
          // survives anyway
        }

        @Override
        public void cutPrefix(Path file, long length) {
          // survives anyway
        }

        @Override
        public void force(Path path) {
          // survives anyway
        }

        @Override
        public void forceNames() {
          // survives anyway
        }
      };

  /** The first bytes of a file that only grows. */
  void forcePrefix(Path file, long length) throws IOException;

  /** A file that only grew was cut. */
  void cutPrefix(Path file, long length) throws IOException;

  /** A file, or a directory with all below it; and, with it, all names on the disk. */
  void force(Path path) throws IOException;

  /** All names on the disk. */
  void forceNames() throws IOException;
}
