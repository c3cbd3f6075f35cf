"""hostile_clients.py PORT KEY -- clients of 'heddle serve' that nobody should write (tests/serve.sh)."""
import socket, sys, time

port = int(sys.argv[1])


def say(name, ok, why=""):
    print(f"ok - {name}" if ok else f"not ok - {name}: {why}", flush=True)


def connect():
    s = socket.create_connection(("127.0.0.1", port))
    s.settimeout(60)
    return s


def ask(data):
    """The first line of the answer."""
    s = connect()
    try:
        s.sendall(data)
        answer = b""
        while piece := s.recv(65536):
            answer += piece
    except ConnectionError:
        pass
    finally:
        s.close()
    return answer.split(b"\r\n")[0].decode()


GOOD = b"GET /" + sys.argv[2].encode() + b"/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
for name, data, status in [
    ("two names", b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("no name", b"GET / HTTP/1.1\r\n\r\n", 400),
    ("an address instead of a path", b"GET http://evil/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("a folded field", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400),
    ("a blank before a colon", b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    ("zero bytes", b"GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("another version", b"GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", 505),
    ("chunks", b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
    ("no HTTP at all", b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
    ("a line without an end", b"G" * 20000, 414),
    ("two requests in one", GOOD + GOOD, 200),
]:
    line = ask(data)
    say(f"{name}: {status}", line.startswith(f"HTTP/1.1 {status} "), line)

# One byte at a time is as good as all at once.
s = connect()
for byte in GOOD:
    s.sendall(bytes([byte]))
say("one byte at a time", s.recv(12) == b"HTTP/1.1 200", "another answer")
s.close()

# Clients that say nothing, and one that does not end: others are let in when their time is over.
silent = [connect() for _ in range(40)]
slow = connect()
begun = time.monotonic()
line = ask(GOOD)
took = time.monotonic() - begun
say("forty silent clients keep nobody out for long", line.startswith("HTTP/1.1 200 ") and took < 30, f"{line} after {took:.1f} s")
for c in silent + [slow]:
    c.close()
