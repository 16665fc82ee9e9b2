package io.uniserve.node.processes;

import java.io.IOException;
import java.util.List;

/** Where the processes of a cluster run: by default all on loopback. */
interface Hosts extends AutoCloseable {
  /** All processes at 127.0.0.1. */
  Hosts LOOPBACK =
      new Hosts() {
        @Override
        public String address(String process) {
          return "127.0.0.1";
        }

        @Override
        public List<String> commandPrefix(String process) {
          return List.of();
        }

        @Override
        public void close() {
          // nothing was made
        }
      };

  /** The IP address at which the others reach a process; makes its host if there is none yet. */
  String address(String process) throws IOException;

  /** What stands before the command that starts a process there. */
  List<String> commandPrefix(String process);

  @Override
  void close();
}
