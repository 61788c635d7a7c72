"""Reads and writes encrypted transfers by docs/encryption.md, with Python's standard library alone.

Shares no code with the rest of the repository, so that one reading of the format checks the other.
Standard input is a JSON list of jobs, standard output the list of their results, each with `error` if refused:

  {"do": "open", "fragment", "passwordHash", "salt", "wrap", "commitment", "revision", "manifest",
   "streams": {"0": bytes}}                -> {"access", "manifest": {...}, "streams": {"0": plaintext}}
  {"do": "seal", "secret", "linkSecret", "passwordHash", "salt", "wrapNonce", "revision", "manifestNonce",
   "manifest": {...}, "streams": {"0": plaintext}}
                                           -> {"fragment", "access", "wrap", "commitment", "manifest", "streams", "marks"}

Bytes are hexadecimal. `marks` holds one mark for each stream: that of its records as one part.
"""

import base64
import hashlib
import hmac
import json
import struct
import sys

RECORD = 262144
PLAIN = RECORD - 28


class Refused(Exception):
    pass


# AES (FIPS 197), encryption alone.


def make_sbox():
    sbox = [0] * 256
    p = q = 1
    while True:
        p ^= (p << 1) ^ (0x11B if p & 0x80 else 0)
        p &= 0xFF
        for shift in (1, 2, 4):
            q ^= q << shift
        q &= 0xFF
        if q & 0x80:
            q ^= 0x09
        x = q ^ rotate8(q, 1) ^ rotate8(q, 2) ^ rotate8(q, 3) ^ rotate8(q, 4)
        sbox[p] = x ^ 0x63
        if p == 1:
            sbox[0] = 0x63
            return sbox


def rotate8(value, by):
    return ((value << by) | (value >> (8 - by))) & 0xFF


def double(value):
    return ((value << 1) ^ (0x1B if value & 0x80 else 0)) & 0xFF


SBOX = make_sbox()
T0 = [(double(s) << 24) | (s << 16) | (s << 8) | (double(s) ^ s) for s in SBOX]
T1 = [(t >> 8) | ((t & 0xFF) << 24) for t in T0]
T2 = [(t >> 8) | ((t & 0xFF) << 24) for t in T1]
T3 = [(t >> 8) | ((t & 0xFF) << 24) for t in T2]


def substitute(word):
    return (
        SBOX[word >> 24] << 24 | SBOX[word >> 16 & 255] << 16 | SBOX[word >> 8 & 255] << 8 | SBOX[word & 255]
    )


def expand_key(key):
    words = list(struct.unpack(">8I", key))
    constant = 1
    while len(words) < 60:
        word = words[-1]
        if len(words) % 8 == 0:
            word = substitute(((word << 8) | (word >> 24)) & 0xFFFFFFFF) ^ (constant << 24)
            constant = double(constant)
        elif len(words) % 8 == 4:
            word = substitute(word)
        words.append(words[-8] ^ word)
    return words


def encrypt_block(keys, a, b, c, d):
    a, b, c, d = a ^ keys[0], b ^ keys[1], c ^ keys[2], d ^ keys[3]
    for k in range(4, 56, 4):
        a, b, c, d = (
            T0[a >> 24] ^ T1[b >> 16 & 255] ^ T2[c >> 8 & 255] ^ T3[d & 255] ^ keys[k],
            T0[b >> 24] ^ T1[c >> 16 & 255] ^ T2[d >> 8 & 255] ^ T3[a & 255] ^ keys[k + 1],
            T0[c >> 24] ^ T1[d >> 16 & 255] ^ T2[a >> 8 & 255] ^ T3[b & 255] ^ keys[k + 2],
            T0[d >> 24] ^ T1[a >> 16 & 255] ^ T2[b >> 8 & 255] ^ T3[c & 255] ^ keys[k + 3],
        )
    s = SBOX
    return struct.pack(
        ">4I",
        (s[a >> 24] << 24 | s[b >> 16 & 255] << 16 | s[c >> 8 & 255] << 8 | s[d & 255]) ^ keys[56],
        (s[b >> 24] << 24 | s[c >> 16 & 255] << 16 | s[d >> 8 & 255] << 8 | s[a & 255]) ^ keys[57],
        (s[c >> 24] << 24 | s[d >> 16 & 255] << 16 | s[a >> 8 & 255] << 8 | s[b & 255]) ^ keys[58],
        (s[d >> 24] << 24 | s[a >> 16 & 255] << 16 | s[b >> 8 & 255] << 8 | s[c & 255]) ^ keys[59],
    )


# GCM (NIST SP 800-38D) with nonces of 12 bytes.


class Gcm:
    def __init__(self, key):
        self.keys = expand_key(key)
        self.tables = ghash_tables(int.from_bytes(encrypt_block(self.keys, 0, 0, 0, 0), "big"))

    def seal(self, nonce, plaintext, aad):
        ciphertext = self.ctr(nonce, plaintext)
        return ciphertext + self.tag(nonce, ciphertext, aad)

    def open(self, nonce, sealed, aad):
        if len(nonce) != 12 or len(sealed) < 16:
            raise Refused("too short")
        ciphertext, tag = sealed[:-16], sealed[-16:]
        if not hmac.compare_digest(tag, self.tag(nonce, ciphertext, aad)):
            raise Refused("wrong tag")
        return self.ctr(nonce, ciphertext)

    def ctr(self, nonce, data):
        a, b, c = struct.unpack(">3I", nonce)
        blocks = (len(data) + 15) // 16
        stream = b"".join(encrypt_block(self.keys, a, b, c, 2 + block) for block in range(blocks))
        return xor(data, stream[: len(data)])

    def tag(self, nonce, ciphertext, aad):
        lengths = struct.pack(">2Q", 8 * len(aad), 8 * len(ciphertext))
        y = 0
        tables = self.tables
        for start_of in (padded(aad), padded(ciphertext), lengths):
            for at in range(0, len(start_of), 16):
                y ^= int.from_bytes(start_of[at : at + 16], "big")
                product = 0
                for table, byte in zip(tables, y.to_bytes(16, "big")):
                    product ^= table[byte]
                y = product
        return xor(y.to_bytes(16, "big"), encrypt_block(self.keys, *struct.unpack(">3I", nonce), 1))


def ghash_tables(h):
    """For each of 16 places the products of every byte there with h. Bit 0 of the field is the leftmost."""
    powers = []
    for _ in range(128):
        powers.append(h)
        h = (h >> 1) ^ (0xE1 << 120 if h & 1 else 0)
    tables = []
    for place in range(16):
        bits = powers[8 * place : 8 * place + 8]
        table = [0] * 256
        for byte in range(256):
            for bit in range(8):
                if byte & (0x80 >> bit):
                    table[byte] ^= bits[bit]
        tables.append(table)
    return tables


def padded(data):
    return data + bytes(-len(data) % 16)


def xor(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


# HKDF (RFC 5869) with SHA-256, one block of output.


def hkdf(material, salt, label):
    extracted = hmac.new(salt, material, hashlib.sha256).digest()
    return hmac.new(extracted, label + b"\x01", hashlib.sha256).digest()


# The format.


def link_keys(link_secret, password_hash, salt):
    material = link_secret + password_hash
    return hkdf(material, salt, b"mayfly/1 link access"), hkdf(material, salt, b"mayfly/1 link wrap")


def numbered(label, stream):
    return label + struct.pack(">I", stream)


def record_count(size):
    return max(1, -(-size // PLAIN))


def opened_size(sealed):
    size = sealed - 28 * max(1, -(-sealed // RECORD))
    if size < 0 or size + 28 * record_count(size) != sealed:
        raise Refused("no stream has this size")
    return size


def aad_of(stream, record, size):
    return b"mayfly/1" + struct.pack(">IIQ", stream, record, size)


def seal_stream(secret, salt, stream, plaintext):
    cipher = Gcm(hkdf(secret, salt, numbered(b"mayfly/1 stream key", stream)))
    nonce_key = hkdf(secret, salt, numbered(b"mayfly/1 stream nonce", stream))
    sealed, nonces = b"", b""
    for record in range(record_count(len(plaintext))):
        piece = plaintext[record * PLAIN : (record + 1) * PLAIN]
        aad = aad_of(stream, record, len(plaintext))
        nonce = hmac.new(nonce_key, aad + piece, hashlib.sha256).digest()[:12]
        sealed += nonce + cipher.seal(nonce, piece, aad)
        nonces += nonce
    return sealed, nonces


def open_stream(secret, salt, stream, size, sealed):
    if opened_size(len(sealed)) != size:
        raise Refused("the stream is shorter or longer than the list of files says")
    cipher = Gcm(hkdf(secret, salt, numbered(b"mayfly/1 stream key", stream)))
    plaintext = b""
    for record in range(record_count(size)):
        piece = sealed[record * RECORD : (record + 1) * RECORD]
        plaintext += cipher.open(piece[:12], piece[12:], aad_of(stream, record, size))
    return plaintext


def seal_manifest(secret, salt, revision, nonce, manifest):
    text = json.dumps(manifest).encode()
    plaintext = struct.pack(">I", len(text)) + text
    plaintext += bytes(-len(plaintext) % 4096)
    cipher = Gcm(hkdf(secret, salt, b"mayfly/1 manifest"))
    return nonce + cipher.seal(nonce, plaintext, b"mayfly/1 manifest" + struct.pack(">I", revision))


def open_manifest(secret, salt, revision, body):
    cipher = Gcm(hkdf(secret, salt, b"mayfly/1 manifest"))
    plaintext = cipher.open(body[:12], body[12:], b"mayfly/1 manifest" + struct.pack(">I", revision))
    (length,) = struct.unpack(">I", plaintext[:4])
    if len(plaintext) % 4096 != 0 or 4 + length > len(plaintext) or any(plaintext[4 + length :]):
        raise Refused("the list of files is filled up wrongly")
    manifest = json.loads(plaintext[4 : 4 + length])
    if manifest["v"] != 1:
        raise Refused("another version")
    return manifest


PICTURE_KINDS = {"about": 0, "tile": 1, "view": 2}


def picture_aad(stream, kind):
    return b"mayfly/1 picture" + struct.pack(">IB", stream, PICTURE_KINDS[kind])


def seal_picture(secret, salt, stream, kind, nonce, plaintext):
    cipher = Gcm(hkdf(secret, salt, b"mayfly/1 picture"))
    return nonce + cipher.seal(nonce, plaintext, picture_aad(stream, kind))


def open_picture(secret, salt, stream, kind, sealed):
    cipher = Gcm(hkdf(secret, salt, b"mayfly/1 picture"))
    return cipher.open(sealed[:12], sealed[12:], picture_aad(stream, kind))


def each_picture(work, secret, salt, job, *more):
    return [
        [stream, kind, work(secret, salt, stream, kind, *more, bytes.fromhex(content)).hex()]
        for stream, kind, content in job["pictures"]
    ]


def do_seal(job):
    secret, salt = bytes.fromhex(job["secret"]), bytes.fromhex(job["salt"])
    password_hash = bytes.fromhex(job["passwordHash"])
    link_secret = bytes.fromhex(job["linkSecret"])
    access, wrap_key = link_keys(link_secret, password_hash, salt)
    wrap_nonce = bytes.fromhex(job["wrapNonce"])
    streams, marks = {}, {}
    for number, plaintext in job["streams"].items():
        sealed, nonces = seal_stream(secret, salt, int(number), bytes.fromhex(plaintext))
        streams[number] = sealed.hex()
        mark_key = hkdf(secret, salt, b"mayfly/1 part mark")
        mark = hmac.new(mark_key, struct.pack(">II", int(number), 1) + nonces, hashlib.sha256).digest()[:12]
        marks[number] = mark.hex()
    manifest_nonce = bytes.fromhex(job["manifestNonce"])
    encoded = base64.urlsafe_b64encode(link_secret).decode().rstrip("=")
    return {
        "fragment": ("2" if password_hash else "1") + encoded,
        "access": access.hex(),
        "wrap": (wrap_nonce + Gcm(wrap_key).seal(wrap_nonce, secret, b"mayfly/1 wrap")).hex(),
        "commitment": hkdf(secret, salt, b"mayfly/1 commitment").hex(),
        "manifest": seal_manifest(secret, salt, job["revision"], manifest_nonce, job["manifest"]).hex(),
        "streams": streams,
        "marks": marks,
        "pictures": each_picture(seal_picture, secret, salt, job, bytes.fromhex(job["pictureNonce"])),
    }


def do_open(job):
    fragment, salt = job["fragment"], bytes.fromhex(job["salt"])
    if len(fragment) != 44 or fragment[0] not in "12":
        raise Refused("the end of the link is missing")
    password_hash = bytes.fromhex(job["passwordHash"])
    if (fragment[0] == "2") != (len(password_hash) == 32):
        raise Refused("the link asks for a password, or for none")
    access, wrap_key = link_keys(base64.urlsafe_b64decode(fragment[1:] + "="), password_hash, salt)
    wrap = bytes.fromhex(job["wrap"])
    secret = Gcm(wrap_key).open(wrap[:12], wrap[12:], b"mayfly/1 wrap")
    if not hmac.compare_digest(hkdf(secret, salt, b"mayfly/1 commitment"), bytes.fromhex(job["commitment"])):
        raise Refused("another transfer than the one that the sender committed to")
    manifest = open_manifest(secret, salt, job["revision"], bytes.fromhex(job["manifest"]))
    sizes = {}
    for file in manifest["files"]:
        sizes[file["stream"]] = max(sizes.get(file["stream"], 0), file["at"] + file["size"])
    streams = {
        number: open_stream(secret, salt, int(number), sizes[int(number)], bytes.fromhex(sealed)).hex()
        for number, sealed in job["streams"].items()
    }
    pictures = each_picture(open_picture, secret, salt, job)
    return {"access": access.hex(), "manifest": manifest, "streams": streams, "pictures": pictures}


def answer(job):
    try:
        return do_seal(job) if job["do"] == "seal" else do_open(job)
    except Refused as refused:
        return {"error": str(refused)}


json.dump([answer(job) for job in json.load(sys.stdin)], sys.stdout)
