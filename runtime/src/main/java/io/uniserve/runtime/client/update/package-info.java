/** Updates at each level of consistency, sent to primaries and retried under one key. */
package io.uniserve.runtime.client.update;
