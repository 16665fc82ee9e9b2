package io.uniserve.kernel;

import java.io.IOException;

/**
 * A file failed in a way that leaves in doubt what the disk has of it: a force failed, after which
 * the system may have dropped what it could not write, or a write that could not be undone. It is
 * of no more use to whoever has it open. Read again, it may hold what the disk will not have after
 * a crash of the machine, be it forced then: whoever goes on from it writes it anew.
 */
public final class UnusableFile extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param file which
   * @param cause what failed
   */
  public UnusableFile(String file, Throwable cause) {
    super(file + " is unusable since a write failed: " + cause.getMessage(), cause);
  }
}
