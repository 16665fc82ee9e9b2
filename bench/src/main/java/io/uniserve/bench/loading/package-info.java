/**
 * The loading benchmark: how many documents a second a system takes in, beside bare index writers
 * that are given the same documents by the same number of threads. Every pass starts with an empty
 * index and ends when all documents are on disk and can be found.
 */
package io.uniserve.bench.loading;
