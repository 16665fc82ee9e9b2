/** Transactions and ordered updates: who comes next, and what each actor is told. */
package io.uniserve.runtime.control.transactions;
