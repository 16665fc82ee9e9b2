package io.uniserve.kernel;

import java.io.IOException;

/**
 * A failure of a file after which the contents on disk are uncertain. Either a force failed, so the
 * system may have dropped unwritten bytes, or a failed write could not be undone. The open file
 * cannot be used any more. A new read may show bytes that the disk will not have after a crash of
 * the machine, even if they are forced then. Data that is to be kept must be written to a new file.
 */
public final class UnusableFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the failure.
   *
   * @param file the file's name
   * @param cause the failure of the write or the force
   */
  public UnusableFileException(String file, Throwable cause) {
    super(file + " is unusable since a write failed: " + cause.getMessage(), cause);
  }
}
