package io.uniserve.policy.placement.model;

import java.util.Arrays;

/** A growing list of numbers. Removal puts the last number into the gap. */
public final class IntBag {
  private int[] elements = new int[8];
  private int size;

  /** Returns the number of elements. */
  public int size() {
    return size;
  }

  /** Returns the number at a place. */
  public int get(int place) {
    return elements[place];
  }

  /** Adds a number at the end. */
  public void add(int element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, size * 2);
    }
    elements[size++] = element;
  }

  /** Removes a number, which must be in the list. */
  public void remove(int element) {
    int place = 0;
    while (elements[place] != element) {
      place++;
    }
    elements[place] = elements[--size];
  }

  /** Removes all numbers. */
  public void clear() {
    size = 0;
  }

  /** Returns the numbers, in the order of their places. */
  public int[] toArray() {
    return Arrays.copyOf(elements, size);
  }
}
