/** A durable store in a bucket of S3. */
package io.uniserve.runtime.store.s3;
