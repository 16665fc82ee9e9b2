"""What pydruid, SQLAlchemy and Superset do with Druid, unchanged, against the port given. Fails at the first surprise."""
import json
import sys
import urllib.request

from pydruid.client import PyDruid
from pydruid.db import connect
from pydruid.utils import aggregators, filters, postaggregator
from pydruid.utils.aggregators import doublesum
from pydruid.utils.filters import Dimension
from pydruid.utils.postaggregator import Field
from sqlalchemy import MetaData, Table, create_engine, desc, func, inspect, select, text

port = int(sys.argv[1])
url = "http://localhost:%d" % port


def post(path, body):
    request = urllib.request.Request(
        url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return answer.status


def load(table, dimensions, metrics, rows):
    data = "\n".join(json.dumps(row) for row in rows)
    spec = {
        "dataSchema": {
            "dataSource": table,
            "timestampSpec": {"column": "time", "format": "iso"},
            "dimensionsSpec": {"dimensions": dimensions},
            "metricsSpec": metrics,
            "granularitySpec": {"segmentGranularity": "day", "queryGranularity": "hour"},
        },
        "ioConfig": {
            "type": "index_parallel",
            "inputSource": {"type": "inline", "data": data},
            "inputFormat": {"type": "json"},
            "appendToExisting": True,
        },
    }
    assert post("/druid/indexer/v1/task", {"type": "index_parallel", "spec": spec}) == 200


def tweet(time, **others):
    return {
        "time": time,
        "user_lang": "en",
        "user_time_zone": "Pacific Time (US & Canada)",
        "user_mention_name": "No Mention",
        "reply_to_name": "Not A Reply",
        "tweet_length": 100,
        **others,
    }


# The tables of pydruid's examples, with few rows.
tweets = [
    tweet("2014-02-%02dT0%d:00:00Z" % (day, i), first_hashtag=tag, tweet_length=80 + 10 * i)
    for day in range(2, 12)
    for i, tag in enumerate(["sochi2014"] * 4 + ["other"])
]
for name, count in [("TheEllenShow", 13), ("TheAcademy", 4), ("MTV", 2), ("No Mention", 9)]:
    tweets += [
        tweet("2014-03-03T01:00:00Z", first_hashtag="oscars", user_mention_name=name, user_name="u%d" % i)
        for i in range(count)
    ]
tweets += [
    tweet("2013-10-04T0%d:30:00Z" % i, user_name="a%d" % (i % 2), reply_to_name=reply, user_location="California")
    for i, reply in enumerate(["Not A Reply", "b1", "b2", "b0", "b1", "b2"])
]
load(
    "twitterstream",
    ["first_hashtag", "user_lang", "user_time_zone", "user_mention_name", "user_name", "reply_to_name", "user_location"],
    [
        {"type": "count", "name": "count"},
        {"type": "doubleSum", "name": "tweet_length", "fieldName": "tweet_length"},
    ],
    tweets,
)
load(
    "test_datasource",
    ["product", "user_id"],
    [],
    [
        {"time": "2016-09-0%dT00:00:00Z" % (1 + i % 5), "product": product, "user_id": "u%d" % i}
        for product, users in [("product_A", range(60)), ("product_B", range(40, 100))]
        for i in users
    ],
)
load(
    "places",
    ["place", {"type": "double", "name": "size"}],
    [{"type": "longSum", "name": "visits", "fieldName": "visits"}],
    [
        {"time": "2024-05-0%dT0%d:10:00Z" % (1 + i % 3, i % 9), "place": "%d.5,%d.25" % (50 + i, 10 + i), "size": i / 4, "visits": i}
        for i in range(20)
    ],
)

# The examples of pydruid's README: native queries.
query = PyDruid(url, "druid/v2")
days = query.timeseries(
    datasource="twitterstream",
    granularity="day",
    intervals="2014-02-02/p4w",
    aggregations={"length": doublesum("tweet_length"), "count": doublesum("count")},
    post_aggregations={"avg_tweet_length": (Field("length") / Field("count"))},
    filter=Dimension("first_hashtag") == "sochi2014",
).result
assert len(days) == 28
assert days[0] == {
    "timestamp": "2014-02-02T00:00:00.000Z",
    "result": {"length": 380.0, "count": 4.0, "avg_tweet_length": 95.0},
}, days[0]

top = query.topn(
    datasource="twitterstream",
    granularity="all",
    intervals="2014-03-03/p1d",
    aggregations={"count": doublesum("count")},
    dimension="user_mention_name",
    filter=(Dimension("user_lang") == "en")
    & (Dimension("first_hashtag") == "oscars")
    & (Dimension("user_time_zone") == "Pacific Time (US & Canada)")
    & ~(Dimension("user_mention_name") == "No Mention"),
    metric="count",
    threshold=10,
).result
assert [(each["user_mention_name"], each["count"]) for each in top[0]["result"]] == [
    ("TheEllenShow", 13.0),
    ("TheAcademy", 4.0),
    ("MTV", 2.0),
], top

replies = query.groupby(
    datasource="twitterstream",
    granularity="hour",
    intervals="2013-10-04/pt12h",
    dimensions=["user_name", "reply_to_name"],
    filter=(~(Dimension("reply_to_name") == "Not A Reply")) & (Dimension("user_location") == "California"),
    aggregations={"count": doublesum("count")},
).result
assert len(replies) == 5, replies

both = query.groupby(
    datasource="test_datasource",
    granularity="all",
    intervals="2016-09-01/P1M",
    filter=filters.Filter(type="in", dimension="product", values=["product_A", "product_B"]),
    aggregations={
        "product_A_users": aggregators.filtered(
            filters.Dimension("product") == "product_A", aggregators.thetasketch("user_id")
        ),
        "product_B_users": aggregators.filtered(
            filters.Dimension("product") == "product_B", aggregators.thetasketch("user_id")
        ),
    },
    post_aggregations={
        "both_A_and_B": postaggregator.ThetaSketchEstimate(
            postaggregator.ThetaSketch("product_A_users") & postaggregator.ThetaSketch("product_B_users")
        )
    },
).result
assert both[0]["event"] == {"product_A_users": 60.0, "product_B_users": 60.0, "both_A_and_B": 20.0}, both

# The other calls of its client.
columns = query.segment_metadata(datasource="places", intervals="2024-01-01/p1y", merge=True).result[0]["columns"]
assert sorted(columns) == ["__time", "place", "size", "visits"], columns
assert query.time_boundary(datasource="places").result[0]["result"]["minTime"] == "2024-05-01T00:00:00.000Z"
scanned = query.scan(datasource="places", intervals=["2024-01-01/p1y"], limit=7, columns=["place"]).result
assert sum(len(each["events"]) for each in scanned) == 7

# The DB-API.
connection = connect(host="localhost", port=port, path="/druid/v2/sql/", scheme="http")
cursor = connection.cursor()
cursor.execute(
    """
    SELECT place,
           CAST(REGEXP_EXTRACT(place, '(.*),', 1) AS FLOAT) AS lat,
           CAST(REGEXP_EXTRACT(place, ',(.*)', 1) AS FLOAT) AS lon
      FROM places
     LIMIT 10
    """
)
rows = list(cursor)
assert len(rows) == 10
assert all(abs(row.lat - row.lon - 40.25) < 1e-4 for row in rows), rows
cursor.execute("SELECT SUM(visits) FROM places WHERE place = %(place)s", {"place": "55.5,15.25"})
assert cursor.fetchone()[0] == 5
cursor.execute("SELECT place FROM places GROUP BY place ORDER BY place")
assert (len(cursor.fetchmany(3)), len(cursor.fetchall())) == (3, 17)

# SQLAlchemy: what Superset asks of the dialect when a database is added.
engine = create_engine("druid://localhost:%d/druid/v2/sql/" % port)
inspector = inspect(engine)
assert engine.dialect.do_ping(engine.raw_connection().cursor())
assert {"druid", "lookup", "sys"} <= set(inspector.get_schema_names())
assert {"places", "twitterstream"} <= set(inspector.get_table_names(schema="druid"))
assert engine.dialect.has_table(engine.connect(), "places")
assert not engine.dialect.has_table(engine.connect(), "absent")
places = Table("places", MetaData(), autoload_with=engine)
assert [(column.name, str(column.type)) for column in places.columns] == [
    ("__time", "TIMESTAMP"),
    ("place", "VARCHAR"),
    ("size", "FLOAT"),
    ("visits", "BIGINT"),
], list(places.columns)


def run(statement):
    with engine.connect() as connected:
        return [tuple(row) for row in connected.execute(statement)]


assert run(select(func.count("*")).select_from(places)) == [(20,)]
assert run(select(func.sum(places.c.visits)).where(places.c.place.like("5%"))) == [(45,)]
visits = func.sum(places.c.visits).label("visits_")
best = select(places.c.place, visits).group_by(places.c.place).order_by(desc("visits_")).limit(2)
assert run(best) == [("69.5,29.25", 19), ("68.5,28.25", 18)], run(best)

# What Superset's charts send: a chart for each grain of time.
cast = 'CAST("__time" AS TIMESTAMP)'
grains = ["TIME_FLOOR(%s, '%s')" % (cast, each) for each in "PT1S PT5S PT30S PT1M PT5M PT10M PT15M PT30M PT1H PT6H P1D P1W P1M P3M P1Y".split()]
grains += [
    "TIME_SHIFT(TIME_FLOOR(TIME_SHIFT(%s, 'P1D', 1), 'P1W'), 'P1D', 5)" % cast,
    "TIME_SHIFT(TIME_FLOOR(TIME_SHIFT(%s, 'P1D', 1), 'P1W'), 'P1D', -1)" % cast,
]
grains += ['FLOOR("__time" TO %s)' % each for each in "SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR".split()]
for grain in grains:
    chart = run(
        text(
            """
            SELECT %s AS __timestamp, SUM(visits) AS "sum__visits" FROM druid.places
             WHERE __time >= TIME_PARSE('2024-05-01T00:00:00') AND __time < CAST(TIME_PARSE('2024-05-09') AS DATE)
             GROUP BY %s ORDER BY "sum__visits" DESC LIMIT 10000
            """
            % (grain, grain)
        )
    )
    assert sum(each[1] for each in chart) == 190, (grain, chart)
series = run(
    text(
        """
        SELECT TIME_FLOOR(CAST("__time" AS TIMESTAMP), 'P1D') AS __timestamp, place AS place, SUM(visits) AS v FROM places
          JOIN (SELECT place AS place__, SUM(visits) AS mme_inner__ FROM places GROUP BY place
                 ORDER BY mme_inner__ DESC LIMIT 5) AS series_limit ON place = place__
         GROUP BY place, TIME_FLOOR(CAST("__time" AS TIMESTAMP), 'P1D') ORDER BY v DESC LIMIT 100
        """
    )
)
assert [each[2] for each in series] == [19, 18, 17, 16, 15], series
assert len(run(text("SELECT * FROM druid.places LIMIT 1001"))) == 20
values = "SELECT DISTINCT place AS place FROM (SELECT * FROM places) AS virtual_table ORDER BY place LIMIT 1000"
assert len(run(text(values))) == 20

# Lookups.
names = {"type": "map", "map": {"product_A": "Apple", "product_B": "Bread"}}
config = {"__default": {"names": {"version": "v1", "lookupExtractorFactory": names}}}
assert post("/druid/coordinator/v1/lookups/config", config) == 202
named = "SELECT LOOKUP(product, 'names'), COUNT(*) FROM test_datasource GROUP BY 1 ORDER BY 1"
assert run(text(named)) == [("Apple", 60), ("Bread", 60)]
assert inspector.get_table_names(schema="lookup") == ["names"]
print("done")
