/** An engine whose updates answer, for tests. */
package io.uniserve.runtime.register;
