"""Spark SQL with TPC-H's tables cached in memory, behind the protocol of bench's SqlProgram.

Arguments: a directory for Spark's files, the directory with the Parquet files, DECIMAL or DOUBLE.
"""

import json
import os
import sys
import time

# From here on only this program writes to the standard output; the JVM inherits the other.
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql.functions import col  # noqa: E402
from pyspark.sql.types import DecimalType  # noqa: E402

NANOS = 1_000_000_000
THREADS = 2


def say(answer):
    out.write(json.dumps(answer) + "\n")
    out.flush()


def start(directory):
    return (
        SparkSession.builder.master(f"local[{THREADS}]")
        .config("spark.driver.memory", "8g")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.local.dir", directory)
        .config("spark.sql.warehouse.dir", os.path.join(directory, "warehouse"))
        # The default of 200 is for clusters; this is what its documentation advises for so few threads.
        .config("spark.sql.shuffle.partitions", str(2 * THREADS))
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )


def load(spark, files, types):
    rows = 0
    for name in sorted(os.listdir(files)):
        table, suffix = os.path.splitext(name)
        if suffix != ".parquet":
            continue
        frame = spark.read.parquet(os.path.join(files, name))
        if types == "DOUBLE":
            frame = frame.select(
                [
                    col(f.name).cast("double") if isinstance(f.dataType, DecimalType) else col(f.name)
                    for f in frame.schema.fields
                ]
            )
        frame.createOrReplaceTempView(table)
        spark.sql(f"CACHE TABLE {table}")
        rows += spark.table(table).count()
    return rows


def text(value):
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def obey(spark, command):
    sql = command["sql"]
    if command["do"] == "answer":
        return {"rows": [[text(value) for value in row] for row in spark.sql(sql).collect()]}
    end = time.perf_counter_ns() + command["millis"] * 1_000_000
    nanos = []
    while not nanos or time.perf_counter_ns() < end:
        before = time.perf_counter_ns()
        spark.sql(sql).collect()
        nanos.append(time.perf_counter_ns() - before)
    return {"nanos": nanos}


def main():
    directory, files, types = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    spark = start(directory)
    began = time.perf_counter_ns()
    rows = load(spark, files, types)
    nanos = time.perf_counter_ns() - began
    pid = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    say({"rows": rows, "nanos": nanos, "pid": pid})
    for line in sys.stdin:
        try:
            say(obey(spark, json.loads(line)))
        except Exception as error:  # the other end decides what becomes of it
            print(error, file=sys.stderr)
            say({"error": str(error).split("\n")[0]})
    spark.stop()


main()
