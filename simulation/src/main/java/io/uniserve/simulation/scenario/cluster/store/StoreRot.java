package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.runtime.store.backup.HistoryItem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The silent damage to one table's data in the durable store. */
public final class StoreRot {
  private static final int DAMAGED_MAX = 3;

  private final Path store;
  private final RandomGenerator random;

  /**
   * @param store the directory of the whole store
   * @param random decides the damage
   */
  public StoreRot(Path store, RandomGenerator random) {
    this.store = store;
    this.random = random;
  }

  /**
   * Changes a bit of some objects, or cuts their end off. At most one is deleted, since one of two
   * may be the only evidence of the other.
   *
   * @param table the identity of the table
   * @return a description of what was done
   */
  public List<String> damage(long table) {
    List<String> done = new ArrayList<>();
    List<Path> objects = objects(table);
    if (!objects.isEmpty() && random.nextBoolean()) {
      Path gone = objects.remove(random.nextInt(objects.size()));
      delete(gone);
      done.add("deleted " + gone);
    }
    for (int i = random.nextInt(DAMAGED_MAX); i > 0 && !objects.isEmpty(); i--) {
      done.add(spoil(objects.remove(random.nextInt(objects.size()))));
    }
    return done;
  }

  /**
   * Changes a bit of one object, cuts its end off, or deletes it.
   *
   * @param table the identity of the table
   * @param mayDelete true if no object was deleted before
   * @return a description of what was done
   */
  public Damage damageOne(long table, boolean mayDelete) {
    List<Path> objects = objects(table);
    if (objects.isEmpty()) {
      return new Damage("nothing yet", false);
    }
    Path one = objects.get(random.nextInt(objects.size()));
    if (mayDelete && random.nextInt(3) == 0 && !isLast(one, objects)) {
      delete(one);
      return new Damage("deleted " + one, true);
    }
    return new Damage(spoil(one), false);
  }

  /**
   * Returns whether an object has the last updates of its actor. That these are missing cannot be
   * seen, and a synchronous table goes on from the store if it has nothing else.
   */
  private static boolean isLast(Path object, List<Path> objects) {
    OptionalLong end = end(object);
    return end.isPresent()
        && objects.stream()
            .filter(other -> other.getParent().equals(object.getParent()))
            .map(StoreRot::end)
            .noneMatch(other -> other.orElse(0) > end.getAsLong());
  }

  /** Returns the sequence number of the last update in an object, if it has updates. */
  private static OptionalLong end(Path object) {
    return HistoryItem.parse(object.getFileName().toString()).orElse(null)
            instanceof HistoryItem.Log log
        ? OptionalLong.of(log.last().sequence())
        : OptionalLong.empty();
  }

  /**
   * The damage that was done.
   *
   * @param what the damage, in words
   * @param deleted true if an object is gone
   */
  public record Damage(String what, boolean deleted) {}

  private List<Path> objects(long table) {
    try (Stream<Path> all = Files.walk(store)) {
      return new ArrayList<>(
          all.filter(file -> isOf(table, file.toString()) && Files.isRegularFile(file))
              .sorted()
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOf(long table, String file) {
    return file.contains("/tables/" + table + "/")
        && (file.contains("/history/") || file.contains("/objects/"));
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String spoil(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readAllBytes();
      if (bytes.length == 0) {
        return "nothing is left of " + file;
      }
      int at = random.nextInt(bytes.length);
      if (random.nextBoolean()) {
        bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        Files.write(file, bytes);
        return "a bit of byte " + at + " is another in " + file;
      }
      Files.write(file, Arrays.copyOf(bytes, at));
      return "cut off after byte " + at + ": " + file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
