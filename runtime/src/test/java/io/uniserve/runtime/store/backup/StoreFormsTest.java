package io.uniserve.runtime.store.backup;

import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.store.backup.Manifest.StoredFile;
import io.uniserve.runtime.wire.RuntimeForms;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.testkit.forms.SampleValues;
import org.junit.jupiter.api.Test;

/** The forms of the objects of the durable store. */
class StoreFormsTest {
  private final SampleValues samples =
      RuntimeForms.samples()
          .with(new Log(1, new Position(1, 2), new Position(1, 3), 4)) // a log of one entry
          .with(new StoredFile("file", 2, Sha256.of(new byte[] {1}), 4));

  @Test
  void logsHaveTheirBytes() {
    RuntimeForms.check("store-log", StoredEntries.FORM, samples);
  }

  @Test
  void manifestsHaveTheirBytes() {
    RuntimeForms.check("store-manifest", Manifest.FORM, samples);
  }

  @Test
  void theCatalogHasItsBytes() {
    RuntimeForms.check("store-catalog", Catalog.FORM);
  }

  @Test
  void ownersHaveTheirBytes() {
    RuntimeForms.check("store-owners", Owners.FORM);
  }
}
