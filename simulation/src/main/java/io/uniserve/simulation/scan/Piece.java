package io.uniserve.simulation.scan;

/** The part of one partition that a scan reads. */
final class Piece {
  /** Below this a rest is rounding: a millionth of a second. */
  static final double NOTHING = 1e-6;

  /** The place of a piece in its scan. */
  enum State {
    WAITING,
    READ,
    DONE
  }

  final int partition;
  final int server;

  /** The output of a second of reading at the server's full speed. */
  final double outputKbPerSecond;

  /** The seconds of reading that remain. */
  double leftSeconds;

  /** The seconds of reading of the present grant, and those of them that remain. */
  double grantedSeconds;

  double grantSeconds;

  /** The time at which the slot was taken. */
  double takenSeconds;

  /** The share of the full speed at which it is read now. */
  double pace;

  State state = State.WAITING;

  Piece(int partition, int server, double outputKbPerSecond, double leftSeconds) {
    this.partition = partition;
    this.server = server;
    this.outputKbPerSecond = outputKbPerSecond;
    this.leftSeconds = leftSeconds;
  }
}
