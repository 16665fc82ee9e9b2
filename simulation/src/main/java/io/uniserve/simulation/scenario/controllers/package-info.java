/**
 * Controllers alone, under faults of every kind that leaves their disks, and processes that join,
 * ask for leases and have messages ordered. The promises of the control log are checked from
 * outside.
 */
package io.uniserve.simulation.scenario.controllers;
