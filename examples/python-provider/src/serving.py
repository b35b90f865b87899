"""What every plugin of Querent in Python needs: the handshake with the host, the
encrypted connection, failures with their kind, and an end that is the host's.

docs/plugin-protocol.md describes the protocol.
"""

import base64
import concurrent.futures
import datetime
import functools
import json
import os
import signal
import sys
import tempfile
import threading

import grpc
from google.protobuf import any_pb2

from querent.plugin.v1 import error_pb2

COOKIE_KEY = "QUERENT_PLUGIN"
COOKIE = "c4f1d0a6-7a3e-4e0b-9d53-2f6b8e1a90cd"
PROTOCOL_VERSION = 1
MAX_MESSAGE = 16 << 20

# The gRPC codes nearest to the kinds of failure that a plugin here has. The kind itself
# travels in the details.
CODES = {
    error_pb2.ERROR_KIND_MISCONFIGURED: grpc.StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_KIND_INVALID_REQUEST: grpc.StatusCode.INVALID_ARGUMENT,
    error_pb2.ERROR_KIND_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    error_pb2.ERROR_KIND_TIMEOUT: grpc.StatusCode.DEADLINE_EXCEEDED,
}


class Failure(Exception):
    """A call's failure: its kind is an ErrorKind, its message holds no secret."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def call(method):
    """Turns what a call raises into a status of the protocol."""

    @functools.wraps(method)
    def guarded(self, request, context):
        try:
            return method(self, request, context)
        except Failure as failure:
            fail(context, failure.kind, str(failure))
        except Exception as error:  # a defect of the plugin: its text may hold anything
            log("error", f"{method.__name__} failed: {type(error).__name__}")
            fail(context, error_pb2.ERROR_KIND_INTERNAL, f"the plugin failed in {method.__name__}")

    return guarded


def fail(context, kind, message):
    """Ends the call with a status whose details are an ErrorDetail."""
    code = CODES.get(kind, grpc.StatusCode.INTERNAL)
    detail = any_pb2.Any()
    detail.Pack(error_pb2.ErrorDetail(kind=kind))
    # google.rpc.Status: code = 1, message = 2, details = 3.
    status = bytes([1 << 3, code.value[0]]) + field(2, message.encode()) + field(3, detail.SerializeToString())
    context.set_trailing_metadata((("grpc-status-details-bin", status),))
    context.abort(code, message)


def field(number, content):
    """A field of bytes as Protocol Buffers write it."""
    length, size = len(content), b""
    while length > 127:
        size, length = size + bytes([length & 127 | 128]), length >> 7
    return bytes([number << 3 | 2]) + size + bytes([length]) + content


def log(level, message):
    """Writes a line to the host's log. It must hold no secret, and no text of a user."""
    line = {"@level": level, "@message": message, "@timestamp": datetime.datetime.now(datetime.timezone.utc).isoformat()}
    print(json.dumps(line), file=sys.stderr, flush=True)


def serve(name, register):
    """Runs the plugin: it is all that the main program does.

    register gets a grpc.Server and adds the plugin's services to it.
    """
    started_by_host = os.environ.get(COOKIE_KEY) == COOKIE
    if not started_by_host and not os.environ.get("QUERENT_PLUGIN_DEBUG"):
        sys.exit(f"{sys.argv[0]} is a plugin of Querent, which starts it: name it in a configuration, "
                 "or set QUERENT_PLUGIN_DEBUG=1 to run it by hand")
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=32), options=[
        ("grpc.max_receive_message_length", MAX_MESSAGE),
        ("grpc.max_send_message_length", MAX_MESSAGE),
    ])
    register(server)
    if started_by_host:
        serve_host(server)
    else:
        serve_by_hand(server, name)


def serve_host(server):
    """Serves the host that started this process, until the host is gone."""
    socket = os.path.join(os.environ.get("PLUGIN_UNIX_SOCKET_DIR") or tempfile.mkdtemp(), f"plugin{os.getpid()}")
    handshake = f"1|{PROTOCOL_VERSION}|unix|{socket}|grpc"
    host_certificate = os.environ.get("PLUGIN_CLIENT_CERT")
    if host_certificate:
        credentials, own = encryption(host_certificate.encode())
        server.add_secure_port("unix:" + socket, credentials)
        handshake += "|" + own
    else:  # plugins.<name>.tls is off
        server.add_insecure_port("unix:" + socket)
    if os.environ.get("QUERENT_HOST_WATCH") == "stdin":
        threading.Thread(target=end_with_host, daemon=True).start()
    server.start()
    print(handshake, flush=True)
    sys.stdout = sys.stderr  # whatever is printed from here on goes to the host's log
    server.wait_for_termination()


def end_with_host():
    """Ends the process at the end of standard input, which the host holds open."""
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


def encryption(host_certificate):
    """Credentials for a connection on which host and plugin know each other by
    certificates that are made for it alone, and the plugin's own for the handshake."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.utcnow()
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(seconds=30))
        .not_valid_after(now + datetime.timedelta(days=3650))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    der = certificate.public_bytes(serialization.Encoding.DER)
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    credentials = grpc.ssl_server_credentials([(private, pem)], root_certificates=host_certificate, require_client_auth=True)
    return credentials, base64.b64encode(der).decode().rstrip("=")


def serve_by_hand(server, name):
    """Serves hosts that have the variable set which this prints, until it is interrupted."""
    with tempfile.TemporaryDirectory(prefix="querent-debug-") as folder:
        socket = os.path.join(folder, "plugin")
        server.add_insecure_port("unix:" + socket)
        server.start()
        where = json.dumps({"Protocol": "grpc", "ProtocolVersion": PROTOCOL_VERSION, "Pid": os.getpid(),
                            "Addr": {"Network": "unix", "String": socket}})
        print(f"QUERENT_REATTACH_{name.upper().replace('-', '_')}='{where}'", flush=True)
        done = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: done.set())
        done.wait()
        server.stop(grace=None).wait()
