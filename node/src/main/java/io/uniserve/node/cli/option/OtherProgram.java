package io.uniserve.node.cli.option;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The programs that are part of the project but not of every distribution. */
public final class OtherProgram {
  private OtherProgram() {}

  /**
   * Runs the main method of a class.
   *
   * @param what names the program in the message if it is missing
   */
  public static void run(String what, String mainClass, String[] arguments) throws Exception {
    Method main;
    try {
      main = Class.forName(mainClass).getMethod("main", String[].class);
    } catch (ClassNotFoundException e) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "this distribution does not contain the " + what, e);
    }
    try {
      main.invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
