/** Updates, transactions and ordered updates that a server takes. */
package io.uniserve.runtime.server.update;
