"""
moto's server, which answers one request for an object at a time.

By itself it looks whether an object is there, and some time later puts it. Of several
requests to put one that must not be there yet, more than one may then succeed, which
they never do with S3.
"""

from threading import Lock

from moto import server
from moto.s3.responses import S3Response

turn = Lock()
answer = S3Response._key_response


def answer_in_turn(self, request, full_url):
    with turn:  # the whole request has been received
        return answer(self, request, full_url)


S3Response._key_response = answer_in_turn
server.main()
