package io.uniserve.policy.placement.model;

import java.util.Arrays;

/** A set of numbers below a bound, from which one can be drawn by its place. */
public final class Crowded {
  private final int[] members;
  private final int[] places;
  private int size;

  Crowded(int bound) {
    members = new int[bound];
    places = new int[bound];
    Arrays.fill(places, -1);
  }

  /** Returns the number of members. */
  public int size() {
    return size;
  }

  /** Returns the member at a place below {@link #size}. */
  public int get(int place) {
    return members[place];
  }

  void put(int number, boolean member) {
    if (member == places[number] >= 0) {
      return;
    }
    if (member) {
      places[number] = size;
      members[size++] = number;
    } else {
      int last = members[--size];
      members[places[number]] = last;
      places[last] = places[number];
      places[number] = -1;
    }
  }
}
