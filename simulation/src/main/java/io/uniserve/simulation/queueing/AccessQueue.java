package io.uniserve.simulation.queueing;

/** The unfinished accesses of one server, in a ring. */
final class AccessQueue {
  private int[] queries = new int[64];
  private int[] ticksLeft = new int[64];
  private int first;
  private int size;

  int size() {
    return size;
  }

  void add(int query, int ticks) {
    if (size == queries.length) {
      grow();
    }
    int place = first + size & queries.length - 1;
    queries[place] = query;
    ticksLeft[place] = ticks;
    size++;
  }

  /** Works on the first access for a tick; returns its query if that finished it, otherwise -1. */
  int workOnFirst() {
    int query = queries[first];
    int left = ticksLeft[first] - 1;
    first = first + 1 & queries.length - 1;
    size--;
    if (left == 0) {
      return query;
    }
    add(query, left);
    return -1;
  }

  private void grow() {
    int[] wider = new int[size * 2];
    int[] widerTicks = new int[size * 2];
    for (int place = 0; place < size; place++) {
      wider[place] = queries[first + place & size - 1];
      widerTicks[place] = ticksLeft[first + place & size - 1];
    }
    queries = wider;
    ticksLeft = widerTicks;
    first = 0;
  }
}
