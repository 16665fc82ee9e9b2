/**
 * A generator of the Ticket table (RB §2): a record for every person on a plane. Routes, days,
 * hours and delays are drawn from a sample of real flights; everything about persons is invented.
 *
 * <dl>
 *   <dt>booking
 *   <dd>the tickets of up to four persons on one flight, which have one {@code rloc}
 *   <dt>rloc
 *   <dd>the record locator, six letters and digits
 * </dl>
 */
package io.uniserve.tickets;
