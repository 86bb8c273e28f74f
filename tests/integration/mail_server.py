# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A mail server (aiosmtpd) that requires STARTTLS and the login lk/s3cret.

mail_server.py PORT CERTIFICATE KEY MAILDIR: writes each message into MAILDIR, prints "ready", and ends with its
standard input.
"""

import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox
from aiosmtpd.smtp import AuthResult, LoginPassword


def authenticate(_server, _session, _envelope, _mechanism, data):
    accepted = isinstance(data, LoginPassword) and data.login == b"lk" and data.password == b"s3cret"
    return AuthResult(success=accepted, handled=False)


def main():
    port, certificate, key, folder = sys.argv[1:]
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    controller = Controller(
        Mailbox(folder), hostname="127.0.0.1", port=int(port), tls_context=tls, require_starttls=True,
        authenticator=authenticate, auth_required=True)
    controller.start()
    print("ready", flush=True)
    sys.stdin.read()
    controller.stop()


main()
