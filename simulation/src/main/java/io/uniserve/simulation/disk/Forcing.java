package io.uniserve.simulation.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** An observer of everything that is forced, which decides what a crash of the machine leaves. */
interface Forcing {
  /** The observer for a disk whose machine never crashes. */
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

  /** Notes that the first bytes of a file that only grows were forced. */
  void forcePrefix(Path file, long length) throws IOException;

  /** Notes that a file that only grew was cut. */
  void cutPrefix(Path file, long length) throws IOException;

  /**
   * Notes that a file was forced, or a directory with everything below it, but not its own name.
   */
  void force(Path path) throws IOException;

  /**
   * Notes that the force of a file, or of a directory with everything below it, has failed. Data
   * that was written and not forced by then will never be, whatever is forced later. It can be read
   * for some time.
   */
  void drop(Path path, RandomGenerator random) throws IOException;

  /** Notes that the names in one directory were forced. */
  void forceNames(Path directory) throws IOException;
}
