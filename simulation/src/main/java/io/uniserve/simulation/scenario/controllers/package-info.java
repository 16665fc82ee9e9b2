/**
 * Controllers alone, under faults of every kind that leaves their disks, of which one may rot, and
 * processes that join, ask for leases and have messages ordered. The promises of the control log
 * are checked from outside.
 */
package io.uniserve.simulation.scenario.controllers;
