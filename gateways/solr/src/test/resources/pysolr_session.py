"""What pysolr does, unchanged, against the table at the address given. Fails at the first surprise."""
import sys

import pysolr

solr = pysolr.Solr(sys.argv[1], timeout=30)
assert '"OK"' in solr.ping()

# create
solr.add(
    [
        {"id": "1", "name": "Love story", "year": 1970, "genre": ["Drama", "Romance Film"]},
        {"id": "2", "name": "Love actually", "year": 2003, "genre": ["Comedy", "Romance Film"]},
        {"id": "3", "name": "The lord of the rings", "year": 2001, "genre": ["Fantasy"]},
        {"id": "4", "name": "Ghost story", "year": 1981, "genre": ["Horror"], "rating": 5.5},
    ]
)
assert len(solr.search("*:*")) == 0
solr.commit()
solr.add({"id": "5", "name": "Caf\u00e9 \U0001f3ac", "initial_release_date": "2004-07-10T00:00:00Z"}, commit=True)
assert solr.search("*:*").hits == 5

# query
results = solr.search("love", sort="year desc", fl="id,name,year,score")
assert results.hits == 2, results.raw_response
assert [film["id"] for film in results] == ["2", "1"]
assert results.docs[0]["year"] == 2003
assert results.docs[0]["score"] > 0
assert solr.search("id:5").docs[0]["name"] == "Caf\u00e9 \U0001f3ac"
assert solr.search("love", fq=["year:[2000 TO *]", "genre:Comedy"]).hits == 1
assert solr.search("storys love", defType="edismax", qf="name", mm="1").hits == 2
long_query = " OR ".join("id:%d" % i for i in range(3, 300))  # sent by POST
assert solr.search(long_query, rows=1).hits == 3

# page, by offset and by cursor
assert [f["id"] for f in solr.search("*:*", sort="id asc", start=2, rows=2)] == ["3", "4"]
assert [f["id"] for f in solr.search("*:*", sort="id asc", rows=2, cursorMark="*")] == list("12345")

whole = []
marks = ["*"]
while len(marks) < 2 or marks[-1] != marks[-2]:  # the same mark again is the end
    page = solr.search("*:*", sort="year desc, id asc", rows=2, cursorMark=marks[-1])
    whole += [film["id"] for film in page.docs]
    marks.append(page.nextCursorMark)
assert whole == ["2", "3", "4", "1", "5"], whole
assert len(marks) == 5, marks

# facet
facets = solr.search(
    "*:*",
    **{
        "rows": 0,
        "facet": "true",
        "facet.field": "genre",
        "facet.mincount": 1,
        "facet.range": "year",
        "facet.range.start": 1970,
        "facet.range.end": 2010,
        "facet.range.gap": 10,
    }
).facets
assert facets["facet_fields"]["genre"][:2] == ["Romance Film", 2]
assert facets["facet_ranges"]["year"]["counts"] == ["1970", 1, "1980", 1, "2000", 2]

# highlight
found = solr.search("ghost", **{"hl": "true", "hl.fl": "name"})
assert found.highlighting == {"4": {"name": ["<em>Ghost</em> story"]}}

# delete
solr.delete(id="1", commit=True)
solr.delete(id=["2", "3"])
solr.delete(q="name:ghost")
assert solr.search("*:*").hits == 4
solr.commit(softCommit=True)
assert [film["id"] for film in solr.search("*:*")] == ["5"]
solr.optimize()
solr.delete(q="*:*", commit=True)
assert solr.search("*:*").hits == 0


# errors
def error_of(call):
    try:
        call()
    except pysolr.SolrError as error:
        return str(error)
    raise AssertionError("no error")


assert "HTTP 400" in error_of(lambda: solr.search("nofield:x"))
assert "nofield" in error_of(lambda: solr.search("nofield:x"))
assert "'stats'" in error_of(lambda: solr.search("x", stats="true"))
assert "nofield" in error_of(lambda: solr.add([{"id": "1", "nofield": "x"}]))
assert "overwrite" in error_of(lambda: solr.add([{"id": "1"}], overwrite=False))
missing = pysolr.Solr(sys.argv[1] + "-not")
assert "HTTP 404" in error_of(lambda: missing.search("x"))
print("done")
