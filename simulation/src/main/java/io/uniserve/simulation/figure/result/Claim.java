package io.uniserve.simulation.figure.result;

/**
 * The claim of the paper about a figure, and the result here.
 *
 * @param paper the claim
 * @param here the figure that was measured here
 * @param verdict the verdict on the claim
 */
public record Claim(String paper, String here, Verdict verdict) {

  /** The verdict on a claim. */
  public enum Verdict {
    HOLDS("holds"),
    IN_PART("holds in part"),
    FAILS("does not hold");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    public static Verdict of(boolean holds) {
      return holds ? HOLDS : FAILS;
    }

    /** Returns the verdict on a claim about several points. */
    public static Verdict of(long holding, long all) {
      return holding == all ? HOLDS : holding > 0 ? IN_PART : FAILS;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
