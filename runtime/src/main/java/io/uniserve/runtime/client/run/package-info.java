/** Runs of plans: a query of several stages, a change of rows, a change of a table's definition. */
package io.uniserve.runtime.client.run;
