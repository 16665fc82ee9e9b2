package io.uniserve.runtime.store.backup;

import java.io.IOException;
import java.util.Collection;

/** A check of the files of a checkpoint. */
@FunctionalInterface
public interface FileCheck {
  /** The check of files whose contents are unknown. */
  FileCheck NONE = names -> {};

  /**
   * Requires that files have the contents that were written.
   *
   * @param names their paths in the checkpoint, with slashes
   * @throws io.uniserve.api.error.UniserveException naming one that does not
   */
  void requireSound(Collection<String> names) throws IOException;
}
