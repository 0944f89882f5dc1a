"""A real DNS server on this machine, whose answers may change from question to question, and a resolver that asks it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping, Sequence
from contextlib import closing
from ipaddress import ip_address
from threading import Thread

from dnslib import AAAA, QTYPE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSServer

SECONDS = 5.0


class Names(BaseResolver):  # type: ignore[misc]
    """Each question for a name's addresses takes the next of its answers, and the last one stays. Every question is kept."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self.answers = {name: list(each) for name, each in answers.items()}
        self.asked: list[str] = []
        self.server = DNSServer(self, address="127.0.0.1", port=0, logger=_Silent())
        self._thread = Thread(target=self.server.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        return int(self.server.server.server_address[1])

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        name = str(request.q.qname).rstrip(".")
        self.asked.append(name)
        left = self.answers.get(name, [[]])
        reply = request.reply()
        for address in left.pop(0) if len(left) > 1 else left[0]:
            four = ip_address(address).version == 4
            reply.add_answer(RR(request.q.qname, QTYPE.A if four else QTYPE.AAAA, rdata=A(address) if four else AAAA(address), ttl=0))
        return reply

    async def look_up(self, host: str, port: int) -> Sequence[str]:
        """For a Fetcher: asks the server over the wire, keeps nothing."""
        return await asyncio.to_thread(self._asked, host)

    def _asked(self, host: str) -> list[str]:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as wire:
            wire.settimeout(SECONDS)
            wire.sendto(DNSRecord.question(host).pack(), ("127.0.0.1", self.port))
            answer = DNSRecord.parse(wire.recv(4096))
        found = [str(record.rdata) for record in answer.rr]
        if not found:
            raise OSError(f"no such name: {host}")
        return found

    def __enter__(self) -> Names:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.server.server.shutdown()
        self._thread.join()
        self.server.server.server_close()


class _Silent:
    def __getattr__(self, name: str) -> object:
        return lambda *args: None
