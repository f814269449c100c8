#!/usr/bin/env python3
"""A package registry on the loopback interface, for tests: npm's and PyPI's (simple API).

usage: registry.py PORT_FILE [LOG_FILE]

Serves every package below in the versions listed, made in memory and the same on every machine.
Writes its port into PORT_FILE once it listens, and the paths that were asked for into LOG_FILE.
"""

import base64
import hashlib
import http.server
import io
import json
import os
import sys
import tarfile
import zipfile

NPM = {"berth-codes": ["1.0.0", "1.1.0", "2.0.0"]}
PYPI = {"shelfmarks": ["1.2.0", "1.3.0"]}


def npm_tarball(name, version):
    manifest = {"name": name, "version": version, "license": "MIT", "main": "index.js"}
    files = {
        "package/package.json": json.dumps(manifest),
        "package/index.js": "module.exports = %s;\n" % json.dumps(version),
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=tarfile.USTAR_FORMAT) as tar:
        for path, text in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    # The time in gzip's own header.
    return out.getvalue()[:4] + b"\0\0\0\0" + out.getvalue()[8:]


def wheel(name, version):
    folder = "%s-%s.dist-info" % (name, version)
    files = {
        name + ".py": "VERSION = %r\n" % version,
        folder + "/METADATA": "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version),
        folder + "/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = folder + "/RECORD"
    files[record] = "".join("%s,,\n" % path for path in [*files, record])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return out.getvalue()


class Registry(http.server.BaseHTTPRequestHandler):
    def packument(self, name):
        versions = {}
        for version in NPM[name]:
            tarball = npm_tarball(name, version)
            digest = base64.b64encode(hashlib.sha512(tarball).digest()).decode()
            versions[version] = {
                "name": name,
                "version": version,
                "license": "MIT",
                "dist": {
                    "tarball": self.url("/%s/-/%s-%s.tgz" % (name, name, version)),
                    "integrity": "sha512-" + digest,
                    "shasum": hashlib.sha1(tarball).hexdigest(),
                },
            }
        latest = {"latest": NPM[name][-1]}
        return json.dumps({"name": name, "dist-tags": latest, "versions": versions}).encode()

    def index(self, name):
        links = ""
        for version in PYPI[name]:
            file = "%s-%s-py3-none-any.whl" % (name, version)
            digest = hashlib.sha256(wheel(name, version)).hexdigest()
            links += '<a href="/files/%s#sha256=%s">%s</a>\n' % (file, digest, file)
        return ("<!DOCTYPE html><html><body>\n%s</body></html>\n" % links).encode()

    def url(self, path):
        return "http://localhost:%d%s" % (self.server.server_address[1], path)

    def answer(self):
        """The type and bytes of what is asked for, or None."""
        parts = self.path.split("?")[0].strip("/").split("/")
        if len(parts) == 1 and parts[0] in NPM:
            return "application/json", self.packument(parts[0])
        if len(parts) == 3 and parts[0] in NPM and parts[1] == "-":
            for version in NPM[parts[0]]:
                if parts[2] == "%s-%s.tgz" % (parts[0], version):
                    return "application/octet-stream", npm_tarball(parts[0], version)
        if len(parts) == 2 and parts[0] == "simple" and parts[1] in PYPI:
            return "text/html", self.index(parts[1])
        if len(parts) == 2 and parts[0] == "files":
            name, version = parts[1].split("-")[:2]
            if version in PYPI.get(name, []):
                return "application/octet-stream", wheel(name, version)
        return None

    def do_GET(self):
        answer = self.answer()
        self.send_response(200 if answer else 404)
        kind, body = answer or ("text/plain", b"there is no such package here\n")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        if len(sys.argv) > 2:
            with open(sys.argv[2], "a", encoding="utf-8") as log:
                log.write(self.path + "\n")


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    with open(sys.argv[1] + ".part", "w", encoding="utf-8") as file:
        file.write("%d\n" % server.server_address[1])
    os.rename(sys.argv[1] + ".part", sys.argv[1])
    server.serve_forever()


if __name__ == "__main__":
    main()
