"""adbc-driver-flightsql against a gateway: URI of the gateway, a token that reads trade alone, and one that writes it, too."""

import datetime
import decimal
import sys

import adbc_driver_flightsql.dbapi as dbapi
import pyarrow
import pyarrow.flight
from adbc_driver_flightsql import DatabaseOptions

uri, token, writer = sys.argv[1:]
HEADER = DatabaseOptions.RPC_CALL_HEADER_PREFIX.value


def connect(**options):
    return dbapi.connect(
        uri, autocommit=True, db_kwargs={HEADER + "warehouse": "trade", DatabaseOptions.AUTHORIZATION_HEADER.value: "Bearer " + token, **options}
    )


def refused(work, *words):
    try:
        work()
    except dbapi.Error as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return error
    raise AssertionError("not refused")


with connect() as connection:
    assert connection.adbc_get_info()["vendor_name"] == "Uniserve"
    assert connection.adbc_get_table_types() == ["TABLE"]
    (catalog,) = connection.adbc_get_objects(depth="columns").read_all().to_pylist()
    (schema,) = catalog["catalog_db_schemas"]
    assert schema["db_schema_name"] == "trade", schema
    columns = {t["table_name"]: [c["column_name"] for c in t["table_columns"]] for t in schema["db_schema_tables"]}
    assert columns["digits"] == ["n"] and columns["orders"][0] == "o_orderkey", columns

    with connection.cursor() as cursor:
        cursor.execute("select * from orders where o_orderkey in (?, ?) order by o_orderkey", (7, 10))
        types = {field.name: str(field.type) for field in cursor.fetch_arrow_table().schema}
        assert types == {
            "o_orderkey": "int64",
            "o_priority": "int32",
            "o_totalprice": "decimal128(15, 2)",
            "o_orderdate": "date32[day]",
            "o_at": "timestamp[us]",
            "o_urgent": "bool",
            "o_weight": "double",
            "o_comment": "string",
        }, types
        cursor.execute("select * from orders where o_orderkey in (?, ?) order by o_orderkey", (7, 10))
        assert cursor.fetchall() == [
            (
                7,
                -7,
                decimal.Decimal("7.25"),
                datetime.date(1998, 12, 8),
                datetime.datetime(2024, 2, 29, 12, 34, 56, 7),
                False,
                0.875,
                "order 00000007, said 'möglich'",
            ),
            (10, None, None, None, None, None, None, "order 00000010, said 'möglich'"),
        ]

        # A value keeps its own type: no cast to that of the column rounds it.
        cursor.execute(
            "select count(*) from orders where o_totalprice < ? and o_orderdate >= ? and o_at < ? and o_weight > ?"
            " and o_urgent = ? and o_comment like ?",
            (
                decimal.Decimal("7.2500001"),
                datetime.date(1998, 12, 1),
                datetime.datetime(2025, 1, 1),
                0.1,
                False,
                "%ö%",
            ),
        )
        assert cursor.fetchall() == [(4,)]  # 1, 3, 5 and 7
        cursor.execute("select count(*) from orders where o_priority = ?", (None,))
        assert cursor.fetchall() == [(0,)]
        refused(
            lambda: cursor.execute(
                "select o_orderkey from orders where o_orderkey = ?", pyarrow.record_batch([[1, 2]], names=["key"])
            ),
            "one row of parameters",
        )

    with connection.cursor() as cursor:
        refused(lambda: cursor.execute("select o_orderkey,\n nosuch from orders"), "line 2, column 2", "nosuch")
        refused(lambda: cursor.execute("select * from secret.secret"), "may neither read nor write table 'secret'")
        refused(lambda: cursor.execute("insert into digits values (1)"), "may not write table 'trade'")
        refused(lambda: cursor.execute("create table t (a int)"), "may not write table 'trade'")
        refused(lambda: cursor.executescript("insert into digits values (1)"), "may not write table 'trade'")
        refused(lambda: cursor.executescript("create table t (a int)"), "may not write table 'trade'")
        refused(lambda: cursor.executescript("drop table digits"), "may not write table 'trade'")

    with connection.cursor() as cursor:
        cursor.execute(
            "select o_orderkey, n, repeat(o_comment, 20) as wide from trade.orders cross join trade.digits"
        )
        count = 0
        largest = 0
        for batch in cursor.fetch_record_batch():
            count += batch.num_rows
            largest = max(largest, batch.nbytes)
        assert count == 1_000_000, count
        assert largest < 16 << 20, largest

    with connection.cursor() as cursor:
        cursor.execute("select o_orderkey, n, o_comment from orders cross join digits")
        reader = cursor.fetch_record_batch()
        assert reader.read_next_batch().num_rows > 0
        cursor.adbc_cancel()

with dbapi.connect(uri, autocommit=True, db_kwargs={"username": "me", "password": token}) as connection, connection.cursor() as cursor:
    cursor.execute("select count(*) from trade.digits")
    assert cursor.fetchall() == [(500,)]

# The types that columns may have, by the protocol itself: no driver asks for them.
def command(name, value=b""):
    url = b"type.googleapis.com/arrow.flight.protocol.sql." + name
    return b"\x0a" + bytes([len(url)]) + url + b"\x12" + bytes([len(value)]) + value


def listed(*what):
    with pyarrow.flight.connect(uri) as client:
        options = pyarrow.flight.FlightCallOptions(headers=[(b"authorization", b"Bearer " + token.encode())])
        info = client.get_flight_info(pyarrow.flight.FlightDescriptor.for_command(command(*what)), options)
        return client.do_get(info.endpoints[0].ticket, options).read_all().to_pylist()


types = [tuple(row[name] for name in ("type_name", "data_type", "column_size", "literal_prefix", "create_params")) for row in listed(b"CommandGetXdbcTypeInfo")]
assert types == [
    ("BOOLEAN", -7, 1, None, None),
    ("BIGINT", -5, 19, None, None),
    ("DECIMAL", 3, 38, None, ["precision", "scale"]),
    ("INTEGER", 4, 10, None, None),
    ("DOUBLE", 8, 15, None, None),
    ("VARCHAR", 12, 2**31 - 1, "'", None),
    ("DATE", 91, 10, "DATE '", None),
    ("TIMESTAMP", 93, 26, "TIMESTAMP '", None),
], types
assert [row["type_name"] for row in listed(b"CommandGetXdbcTypeInfo", b"\x08\x5b")] == ["DATE"]
assert listed(b"CommandGetXdbcTypeInfo", b"\x08\x07") == []
# One number of those asked for is not known, another may be some day.
assert [row["info_name"] for row in listed(b"CommandGetSqlInfo", b"\x0a\x06\x03\xf6\x03\x01\xcf\x0f")] == [1, 3, 502]
assert len(listed(b"CommandGetSqlInfo")) == 87, len(listed(b"CommandGetSqlInfo"))

# Rows of Arrow are added in bulk.
COUNT = 25_000
at = datetime.datetime(2024, 2, 29, 12, 34, 56, 7)
rows = pyarrow.table(
    {
        "o_orderkey": pyarrow.array(range(100_000, 100_000 + COUNT), pyarrow.int64()),
        "o_priority": pyarrow.array([-7] * COUNT, pyarrow.int8()),
        "o_totalprice": pyarrow.array([decimal.Decimal("7.25")] * COUNT, pyarrow.decimal128(9, 2)),
        "o_orderdate": pyarrow.array([datetime.date(1998, 12, 8)] * COUNT, pyarrow.date32()),
        "o_at": pyarrow.array([at] * COUNT, pyarrow.timestamp("us")),
        "o_urgent": [None, True] * (COUNT // 2),
        "o_weight": pyarrow.array([0.875] * COUNT, pyarrow.float32()),
        "o_comment": ["möglich; 'so'"] * COUNT,
    }
)


def tables():
    (catalog,) = connection.adbc_get_objects(depth="tables").read_all().to_pylist()
    (schema,) = catalog["catalog_db_schemas"]
    return schema["db_schema_tables"]


def ingest(cursor, data, table="orders", **how):
    return cursor.adbc_ingest(table, data, **{"mode": "append", **how})


with connect() as connection, connection.cursor() as cursor:
    refused(lambda: ingest(cursor, rows), "may not write table 'trade'")
with connect(**{DatabaseOptions.AUTHORIZATION_HEADER.value: "Bearer " + writer}) as connection, connection.cursor() as cursor:
    assert ingest(cursor, rows) == COUNT
    assert ingest(cursor, rows.slice(0, 10), db_schema_name="trade") == 10  # replaced by their keys
    cursor.execute(
        "select count(*), count(o_urgent), min(o_priority), sum(o_totalprice), max(o_orderdate), min(o_at), max(o_weight), max(o_comment)"
        " from orders where o_orderkey >= 100000"
    )
    assert cursor.fetchall() == [
        (COUNT, COUNT // 2, -7, COUNT * decimal.Decimal("7.25"), datetime.date(1998, 12, 8), at, 0.875, "möglich; 'so'")
    ]
    cursor.execute("select * from orders where o_orderkey >= 100000")
    same = cursor.fetch_arrow_table()
    assert ingest(cursor, same.set_column(same.schema.get_field_index("o_comment"), "o_comment", pyarrow.array(["block"] * COUNT))) == COUNT
    cursor.execute("select count(*), min(o_comment), count(o_urgent), sum(o_totalprice) from orders where o_orderkey >= 100000")
    assert cursor.fetchall() == [(COUNT, "block", COUNT // 2, COUNT * decimal.Decimal("7.25"))]
    with connection.cursor() as defining:
        defining.executescript("create table logged (n bigint)")
    logged = pyarrow.table({"n": pyarrow.array(range(12_000), pyarrow.int64())})
    keyed = {DatabaseOptions.AUTHORIZATION_HEADER.value: "Bearer " + writer, HEADER + "idempotency-key": "a load"}
    with connect(**keyed) as other, other.cursor() as again:
        for _ in range(2):
            assert ingest(again, logged, table="logged") == 12_000
        refused(lambda: ingest(again, logged.slice(1), table="logged"), "another update was sent with it before")
    cursor.execute("select count(*), sum(n) from logged")
    assert cursor.fetchall() == [(12_000, 71_994_000)]
    with connection.cursor() as defining:
        defining.executescript("drop table logged")
    key = pyarrow.array(range(COUNT), pyarrow.int64())
    assert ingest(cursor, pyarrow.table({"n": pyarrow.array([7_000], pyarrow.int64())}), table="digits") == 1
    refused(lambda: ingest(cursor, pyarrow.table({"o_orderkey": key, "nosuch": key})), "row 1: ", "nosuch", "(0 rows were stored before)")
    last = pyarrow.array([None] * (COUNT - 1) + ["many"])
    refused(
        lambda: ingest(cursor, pyarrow.table({"o_orderkey": key, "o_priority": last})),
        "row 25000: column 'o_priority': many is no INTEGER",
        "(20000 rows were stored before)",
    )
    refused(lambda: ingest(cursor, pyarrow.table({"o_orderkey": key.dictionary_encode()})), "o_orderkey", "dictionary")
    refused(lambda: ingest(cursor, pyarrow.table({"o_comment": pyarrow.array([b"x"])})), "'o_comment' has values of type Binary")
    refused(lambda: ingest(cursor, rows, table="nosuch"), "there is no table 'nosuch'")
    made = pyarrow.table({"Name": ["x", "y", None], "at": pyarrow.array([at] * 3, pyarrow.timestamp("us")), "n": pyarrow.array([1, 2, 3], pyarrow.int8())})
    assert ingest(cursor, made, table="made", mode="create") == 3
    assert ingest(cursor, made, table="made", mode="create_append") == 3
    cursor.execute("select name, min(at), sum(n) from made group by name order by name")
    assert cursor.fetchall() == [("x", at, 2), ("y", at, 4), (None, at, 6)]
    with connection.cursor() as other:
        # What changes something runs as a query does, once, and gives no columns.
        for sql, count in [
            ("create table small (a int, b varchar)", 0),
            ("insert into small values (1, 'x'), (2, 'y'), (3, null)", 3),
            ("update small set b = 'z' where a > 1", 2),
            ("create table smaller as select a from small where b = 'z'", 2),
            ("delete from small where a = 1", 1),
            ("drop table smaller", 0),
            ("drop table if exists smaller", 0),
        ]:
            other.execute(sql)
            assert other.rowcount == count and not other.description, (sql, other.rowcount, other.description)
            assert other.fetch_arrow_table().num_columns == 0
        other.execute("insert into small values (?, ?)", (4, "ü"))
        assert other.rowcount == 1
        other.executemany("insert into small values (?, ?)", [(5, "v"), (6, None)])
        assert other.rowcount == 2
        other.execute("select a, b from small order by a")
        assert other.fetchall() == [(2, "z"), (3, "z"), (4, "ü"), (5, "v"), (6, None)]
        assert [(f.name, str(f.type)) for f in other.adbc_execute_schema("select b, count(*) as n from small group by b")] == [("b", "string"), ("n", "int64")]
        assert len(other.adbc_execute_schema("drop table small")) == 0
        refused(lambda: other.execute("create table small (a int)"), "there is a table 'small' already")
        refused(lambda: other.execute("drop table nosuch"), "there is no table 'nosuch'")
        other.execute("drop table small")
        other.executescript("create table copied as select name, n from made where n > 1")
        other.execute("select count(*) from copied")
        assert other.fetchall() == [(4,)]
        other.executescript("drop table copied")
        other.executescript("drop table made")
    refused(lambda: ingest(cursor, made, table="made"), "there is no table 'made'")
    unfit = pyarrow.table({"x": pyarrow.array([[1]], pyarrow.list_(pyarrow.int8()))})
    refused(lambda: ingest(cursor, unfit, table="unfit", mode="create"), "column 'x': no column has values of type List")
    refused(lambda: ingest(cursor, rows, mode="create"), "'orders' exists")
    # A table is replaced as a whole, or stays.
    assert ingest(cursor, made, table="whole", mode="replace") == 3
    other = pyarrow.table({"s": ["x" * 20] * 400_000, "n": pyarrow.array(range(400_000), pyarrow.int64())})
    assert 4 << 20 < other.nbytes < 15 << 20 and other.to_batches()[0].num_rows == 400_000  # one message
    assert ingest(cursor, other, table="Whole", mode="replace") == 400_000
    cursor.execute("select count(*) as c, sum(n) as n, min(s) as s from whole")
    assert cursor.fetchall() == [(400_000, 399_999 * 200_000, "x" * 20)]
    refused(lambda: ingest(cursor, pyarrow.table({"n": key.dictionary_encode()}), table="whole", mode="replace"), "dictionary", "(nothing was replaced)")
    refused(lambda: ingest(cursor, unfit, table="whole", mode="replace"), "column 'x': no column has values of type List")
    cursor.execute("select * from whole where n = 7")
    assert cursor.fetchall() == [("x" * 20, 7)]
    assert [t["table_name"] for t in tables()] == ["digits", "orders", "whole"], tables()
    with connection.cursor() as dropping:
        dropping.execute("drop table whole")
    # A cursor keeps such options for what it adds next.
    for options, why in [
        ({"catalog_name": "x"}, "there are no catalogs, so none is 'x'"),
        ({"temporary": True}, "there are no temporary tables"),
        ({"db_schema_name": "nosuch"}, "nosuch"),
    ]:
        with connection.cursor() as other:
            refused(lambda: ingest(other, made, table="t", mode="create", **options), why)
    wide = pyarrow.table({"s": ["x" * 100] * 200_000})
    refused(lambda: ingest(cursor, wide, table="t", mode="create"), "20800", "16777216")  # says the driver
    assert ingest(cursor, wide.to_reader(max_chunksize=50_000), table="t", mode="replace") == 200_000
    with connection.cursor() as dropping:
        dropping.execute("drop table t")

    # What is stored is what is read again, added in bulk and by parameters.
    every = pyarrow.table(
        {
            "id": pyarrow.array([1, 2, 3], pyarrow.int64()),
            "i": pyarrow.array([-(2**31), 2**31 - 1, None], pyarrow.int32()),
            "b": pyarrow.array([-(2**63), 2**63 - 1, None], pyarrow.int64()),
            "d": pyarrow.array([decimal.Decimal("-9999999999999999999999999999.9999999999"), decimal.Decimal("1E-10"), None], pyarrow.decimal128(38, 10)),
            "w": pyarrow.array([1.7976931348623157e308, -5e-324, None]),
            "s": ["möglich 日本 😀 'so'", "", None],
            "day": pyarrow.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31), None]),
            "ts": pyarrow.array([datetime.datetime(1890, 2, 28, 23, 59, 59, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999), None], pyarrow.timestamp("us")),
            "f": [True, False, None],
        }
    )
    with connection.cursor() as other:
        assert ingest(other, every, table="every", mode="replace") == 3
        other.execute("create table again as select * from every where id < 0")
        other.executemany("insert into again values (?, ?, ?, ?, ?, ?, ?, ?, ?)", every.to_batches()[0])
        assert other.rowcount == 3
        for table in ("every", "again"):
            other.execute("select * from " + table + " order by id")
            back = other.fetch_arrow_table()
            assert back.schema.types == every.schema.types and back.to_pylist() == every.to_pylist(), back.to_pylist()
            row = every.to_pylist()[0]
            other.execute("select * from " + table + " where " + " and ".join(name + " = ?" for name in row), tuple(row.values()))
            assert other.fetch_arrow_table().to_pylist() == [row]
            other.execute("drop table " + table)

# There are no transactions, and who asks for one is told so, in whatever way.
with connect() as connection, connection.cursor() as cursor:
    for run in (cursor.execute, cursor.executescript):
        for sql in ("begin", "commit", "rollback"):
            assert "sqlstate" in str(refused(lambda: run(sql), sql.upper() + ": there are no transactions").details)
        refused(lambda: run("set x = 1"), "SET: ")
    refused(lambda: cursor.executescript("select 1"), "a query changes nothing")
    assert refused(lambda: cursor.execute("select nosuch from orders"), "nosuch").details == [(b"sqlstate", b"42000")]
    assert refused(lambda: cursor.execute("select * from secret.secret"), "secret").details == [(b"sqlstate", b"42501")]
with connect() as connection:
    begun = refused(lambda: connection.adbc_connection.set_autocommit(False), "transaction")
    assert connection.adbc_connection.get_option("adbc.connection.autocommit") == "true"

refused(lambda: dbapi.connect(uri, autocommit=True, db_kwargs={DatabaseOptions.AUTHORIZATION_HEADER.value: "Bearer no"}).cursor().execute("select 1"), "no such token")
print("done")
