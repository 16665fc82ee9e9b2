/**
 * The decisions that an operator of a cluster may replace: plain functions from a snapshot of the
 * cluster to a decision (DPA §4.4, §4.5; PODP §3; PNUTS §4). They do no input or output and keep no
 * state, so a decision can be previewed and replayed.
 */
package io.uniserve.api.policy;
