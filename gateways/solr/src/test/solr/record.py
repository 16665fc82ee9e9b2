#!/usr/bin/env python3
"""Records what Apache Solr answers to requests.txt, for the tests to compare with.

  record.py BASE_URL   of an empty collection with the configuration in conf/, for instance
                       http://localhost:8983/solr/films

Writes one file for each request below src/test/resources/golden: the request, the status, the
answer without its time.
"""
import json
import pathlib
import sys
import urllib.error
import urllib.request

here = pathlib.Path(__file__).parent
golden = here.parent / "resources" / "golden"
base = sys.argv[1].rstrip("/")


def call(path, body=None):
    headers = {"Content-Type": "application/json"} if body else {}
    request = urllib.request.Request(base + path, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def films():
    """As the tests' table has them: with the year and a rating made of the length of the name."""
    for film in json.loads((here.parent / "resources" / "films.json").read_text()):
        film.pop("film_vector")
        if "initial_release_date" in film:
            film["year"] = int(film["initial_release_date"][:4])
            film["initial_release_date"] += "T00:00:00Z"
        film["rating"] = len(film["name"]) % 40 / 4
        yield film


status, answer = call("/update?commit=true", json.dumps(list(films())).encode())
assert status == 200, answer
golden.mkdir(exist_ok=True)
for line in (here / "requests.txt").read_text().splitlines():
    name, path = line.split(" ", 1)
    status, answer = call(path)
    document = json.loads(answer)
    document.get("responseHeader", {}).pop("QTime", None)
    document.get("responseHeader", {}).pop("zkConnected", None)
    document.get("error", {}).pop("trace", None)
    recorded = {"request": path, "status": status, "answer": document}
    (golden / (name + ".json")).write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
