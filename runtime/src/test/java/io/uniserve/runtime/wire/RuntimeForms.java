package io.uniserve.runtime.wire;

import io.uniserve.api.codec.Form;
import io.uniserve.api.partition.PartitionChange.Cut;
import io.uniserve.api.partition.PartitionChange.Merge;
import io.uniserve.api.partition.PartitionChange.Where;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.testkit.forms.GoldenForm;
import io.uniserve.testkit.forms.SampleValues;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The golden bytes of the runtime's forms. */
public final class RuntimeForms {
  private static final Path DIRECTORY = Path.of("src/test/resources/io/uniserve/runtime/forms");

  private static final Partitioner.Refined REFINED =
      new Partitioner.Refined(
          new Partitioner.Hash(1),
          List.of(new Cut(0, 1, new Where.Bit(3), 4), new Merge(0, 1, 2, 5)));

  private RuntimeForms() {}

  /** Requires that a form has its golden bytes. */
  public static void check(String name, Form form) {
    check(name, form, samples());
  }

  /**
   * Requires that a form has its golden bytes.
   *
   * @param samples the samples of types that are in no other form, and of {@link #samples}
   */
  public static void check(String name, Form form, SampleValues samples) {
    new GoldenForm(
            DIRECTORY,
            name,
            form,
            Map.of(Payload.class, new Payload.WireForm(new Engines(List.of()))),
            samples)
        .check();
  }

  /** Makes samples of types whose constructors do not take all values. */
  public static SampleValues samples() {
    return new SampleValues()
        .with(REFINED)
        .with(Payload.ofBytes("engine", ByteBuffer.wrap(new byte[] {0, 0, 0})));
  }
}
