package io.uniserve.runtime.store.backup;

import java.io.IOException;
import java.util.Collection;

/** Knows what the files of a checkpoint should hold. */
@FunctionalInterface
public interface FileCheck {
  /** Of files that nobody knows anything of. */
  FileCheck NONE = names -> {};

  /**
   * Requires that files hold what was written to them.
   *
   * @param names their paths in the checkpoint, with slashes
   * @throws io.uniserve.api.error.UniserveException naming one that does not
   */
  void requireSound(Collection<String> names) throws IOException;
}
