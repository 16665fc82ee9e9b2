package io.uniserve.runtime.server.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The copies of attempts that were given up, whose files are still to be deleted. */
final class GivenUpCopies {
  private static final Logger LOG = LoggerFactory.getLogger(GivenUpCopies.class);

  private final Storage storage;
  private final Function<ActorId, Path> directories;
  private final Set<ActorId> undeleted = new LinkedHashSet<>();

  /**
   * @param directories returns the directory of an actor's copy
   */
  GivenUpCopies(Storage storage, Function<ActorId, Path> directories) {
    this.storage = storage;
    this.directories = directories;
  }

  void add(ActorId id) {
    undeleted.add(id);
  }

  /**
   * Deletes the files of all, except those whose directory another copy has by now. What the disk
   * cannot delete is tried again at the next call.
   */
  void delete(Predicate<ActorId> inUse) {
    undeleted.removeIf(id -> inUse.test(id) || delete(id));
  }

  private boolean delete(ActorId id) {
    try {
      storage.deleteTree(directories.apply(id));
      return true;
    } catch (IOException e) {
      LOG.warn("files of a given-up copy of actor {} cannot be deleted yet", id, e);
      return false;
    }
  }
}
