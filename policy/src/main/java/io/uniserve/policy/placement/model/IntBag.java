package io.uniserve.policy.placement.model;

import java.util.Arrays;

/** A growing list of numbers; removal puts the last into the gap. */
public final class IntBag {
  private int[] elements = new int[8];
  private int size;

  /** How many. */
  public int size() {
    return size;
  }

  /** The number at a place. */
  public int get(int place) {
    return elements[place];
  }

  /** Adds one at the end. */
  public void add(int element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, size * 2);
    }
    elements[size++] = element;
  }

  /** Removes one that is there. */
  public void remove(int element) {
    int place = 0;
    while (elements[place] != element) {
      place++;
    }
    elements[place] = elements[--size];
  }

  /** Removes all. */
  public void clear() {
    size = 0;
  }

  /** The numbers, in order of their places. */
  public int[] toArray() {
    return Arrays.copyOf(elements, size);
  }
}
