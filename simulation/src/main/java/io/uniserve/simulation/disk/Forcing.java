package io.uniserve.simulation.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

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
        public void drop(Path path, RandomGenerator random) {
          // nobody forces this disk
        }

        @Override
        public void forceNames(Path directory) {
          // survives anyway
        }
      };

  /** The first bytes of a file that only grows. */
  void forcePrefix(Path file, long length) throws IOException;

  /** A file that only grew was cut. */
  void cutPrefix(Path file, long length) throws IOException;

  /** A file, or a directory with all below it, but not its own name. */
  void force(Path path) throws IOException;

  /**
   * The force of a file, or of a directory with all below it, has failed: what was written and not
   * forced is never going to be, whatever is forced later. It can be read for some time.
   */
  void drop(Path path, RandomGenerator random) throws IOException;

  /** The names in one directory. */
  void forceNames(Path directory) throws IOException;
}
