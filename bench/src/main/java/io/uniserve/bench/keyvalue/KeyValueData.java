package io.uniserve.bench.keyvalue;

import io.uniserve.api.Actor;

/** An actor's entries, as they are now or as they were at a moment. */
interface KeyValueData extends Actor {
  /** Returns how many entries were put so far, those that were replaced included. */
  long puts();
}
