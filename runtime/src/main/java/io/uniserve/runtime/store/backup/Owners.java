package io.uniserve.runtime.store.backup;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The chain of those who write to the durable store in the name of a cluster. Owners are numbered
 * objects, each put only where there is none yet, so that one owner has one successor, however many
 * want to be it. A candidate announces itself first, and the servers of the present owner that are
 * alive may object.
 *
 * <p>Below {@code clusters/<cluster>/owners/}: {@code owner-<number>}, {@code claim-<owner>},
 * {@code objection-<owner>}, and {@code present-<life>} for each life of a server that writes,
 * until it ends in order.
 */
public final class Owners {
  static final Form FORM = Forms.of("an owner in the durable store", Owner.class);

  private static final String OWNER = "owner-";
  private static final String CLAIM = "claim-";
  private static final String OBJECTION = "objection-";
  private static final String PRESENT = "present-";

  private static final int SIZE_BYTES_MAX = 1 << 10;

  /** The number of former owners that are kept, to be looked at after an incident. */
  private static final int FORMER_KEPT = 16;

  /** The age of claims and objections that are outdated. */
  private static final Duration OVER = Duration.ofHours(1);

  private final DurableStore store;
  private final Clock clock;

  Owners(DurableStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * A former, present or future owner.
   *
   * @param owner the name in which a cluster writes, which its control log has
   * @param by the server that put this, and its life
   * @param sinceMillis the time, in milliseconds since 1970, by that server's clock
   */
  @Name("Owner")
  public record Owner(String owner, String by, long sinceMillis) {}

  /**
   * The objects of the chain.
   *
   * @param newest the number of the present owner; 0 if there is none yet
   * @param claims the owners that want to be the next
   * @param objections those of them that the present owner refuses
   * @param present the lives of servers that have not ended in order
   */
  public record Seen(
      long newest,
      SortedSet<String> claims,
      SortedSet<String> objections,
      SortedSet<String> present) {}

  /** Reads the present objects. */
  public Seen look(String cluster) {
    TreeSet<String> claims = new TreeSet<>();
    TreeSet<String> objections = new TreeSet<>();
    TreeSet<String> present = new TreeSet<>();
    TreeSet<Long> owners = new TreeSet<>();
    store.list(
        BackupKeys.owners(cluster),
        object -> {
          String name = BackupKeys.nameOf(object.key());
          String rest = name.substring(name.indexOf('-') + 1);
          switch (name.substring(0, name.length() - rest.length())) {
            case OWNER -> owners.add(Long.parseLong(rest));
            case CLAIM -> claims.add(rest);
            case OBJECTION -> objections.add(rest);
            case PRESENT -> present.add(rest);
            default ->
                throw StoreFailures.corrupt(object.key(), "it is an object of an unknown kind");
          }
        });
    return new Seen(owners.isEmpty() ? 0 : owners.last(), claims, objections, present);
  }

  /** Returns whether there is an owner of a number. */
  public boolean isTaken(String cluster, long number) {
    return store.exists(key(cluster, number));
  }

  /** Returns the owner of a number. */
  public Owner read(String cluster, long number) {
    return read(key(cluster, number));
  }

  /** Returns who objected to a claim. */
  public Owner objection(String cluster, String owner) {
    return read(key(cluster, OBJECTION + owner));
  }

  private Owner read(String key) {
    try {
      return FORM.decode(ByteBuffer.wrap(store.get(key, SIZE_BYTES_MAX)), Owner.class);
    } catch (UniserveException e) {
      throw StoreFailures.undecodable(key, e);
    }
  }

  /**
   * Becomes the owner of a number, and deletes outdated objects.
   *
   * @return false if another has become it
   */
  public boolean take(String cluster, long number, Owner owner) {
    if (!store.putIfAbsent(key(cluster, number), content(owner))) {
      return false;
    }
    List<String> over = new ArrayList<>();
    store.list(
        BackupKeys.owners(cluster),
        object -> {
          String name = BackupKeys.nameOf(object.key());
          boolean asked = name.startsWith(CLAIM) || name.startsWith(OBJECTION);
          if (name.equals(CLAIM + owner.owner())
              || asked && object.modified().isBefore(clock.now().minus(OVER))
              || name.startsWith(OWNER)
                  && Long.parseLong(name.substring(OWNER.length())) <= number - FORMER_KEPT) {
            over.add(object.key());
          }
        });
    over.forEach(store::delete);
    return true;
  }

  /** Announces a candidate for the next owner. */
  public void claim(String cluster, Owner owner) {
    store.putIfAbsent(key(cluster, CLAIM + owner.owner()), content(owner));
  }

  /**
   * Objects to a claim.
   *
   * @param present the owner that refuses it
   */
  public void object(String cluster, String claim, Owner present) {
    store.putIfAbsent(key(cluster, OBJECTION + claim), content(present));
  }

  /** Records that a life of a server writes. */
  public void appear(String cluster, String life) {
    store.putIfAbsent(key(cluster, PRESENT + life), Content.of(new byte[0]));
  }

  /**
   * Records that a life of a server has stopped writing. If it writes nevertheless, it is recorded
   * again.
   */
  public void disappear(String cluster, String life) {
    store.delete(key(cluster, PRESENT + life));
  }

  private static Content content(Owner owner) {
    return Content.of(FORM.encode(owner));
  }

  private static String key(String cluster, long number) {
    return key(cluster, OWNER + String.format("%018d", number));
  }

  private static String key(String cluster, String name) {
    return BackupKeys.owners(cluster) + name;
  }
}
