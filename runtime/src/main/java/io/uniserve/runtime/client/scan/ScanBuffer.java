package io.uniserve.runtime.client.scan;

import io.uniserve.runtime.wire.ScanMessage.Page;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The pages that have arrived and were not given to the reader yet, in the order of arrival. */
final class ScanBuffer {
  private final Deque<Arrived> pages = new ArrayDeque<>();
  private long bytes;
  private long bytesMost;

  /**
   * A page.
   *
   * @param part the part that it was read of
   * @param first true if it begins that part
   * @param reached the places that are reached once it is given
   */
  record Arrived(Page page, ScanPart part, boolean first, List<Reached> reached) {
    long sizeBytes() {
      return page.blocks().stream().mapToLong(block -> block.remaining()).sum();
    }
  }

  /** A place of a part. */
  record Reached(ScanPart part, ScanPart.Place place) {}

  void add(ScanPart part, Page page, boolean first, ScanPart.Place place) {
    Arrived arrived =
        new Arrived(page, part, first, new ArrayList<>(List.of(new Reached(part, place))));
    pages.add(arrived);
    part.ahead++;
    bytes += arrived.sizeBytes();
    bytesMost = Math.max(bytesMost, bytes);
  }

  /** Notes that a part was split: what reaches a place of it does so for both halves. */
  void halved(ScanPart part, ScanPart half) {
    for (Arrived arrived : pages) {
      for (Reached reached : List.copyOf(arrived.reached())) {
        if (reached.part() == part) {
          arrived.reached().add(new Reached(half, reached.place()));
        }
      }
    }
  }

  boolean isEmpty() {
    return pages.isEmpty();
  }

  int size() {
    return pages.size();
  }

  long sizeBytes() {
    return bytes;
  }

  long sizeBytesMost() {
    return bytesMost;
  }

  /** Takes the oldest page, which counts as given. */
  Page take() {
    return given(pages.remove()).page();
  }

  /** Takes the oldest page of a part, which has one. */
  Arrived takeOf(ScanPart part) {
    Arrived oldest =
        pages.stream().filter(arrived -> arrived.part() == part).findFirst().orElseThrow();
    pages.remove(oldest);
    return given(oldest);
  }

  private Arrived given(Arrived arrived) {
    bytes -= arrived.sizeBytes();
    arrived.part().ahead--;
    arrived.reached().forEach(reached -> reached.part().given = reached.place());
    return arrived;
  }

  void clear() {
    pages.clear();
    bytes = 0;
  }
}
