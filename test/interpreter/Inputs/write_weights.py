"""Usage: write_weights.py OUT: the numbers that the tests of pi-llm-run read.

1 to 8 as f32 (at byte 0), f16 (64), bf16 (128) and as f16 in the varints of an ONNX
int32_data field (192, 23 bytes); then -1 to -8 as f32 (256)."""
import struct
import sys


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


values = [float(i) for i in range(1, 9)]
f32 = struct.pack("<8f", *values)
f16 = struct.pack("<8e", *values)
bf16 = b"".join(struct.pack("<f", v)[2:] for v in values)
packed = b"".join(varint(bits) for bits in struct.unpack("<8H", f16))
assert len(packed) == 23, len(packed)
with open(sys.argv[1], "wb") as file:
    for part in (f32, f16, bf16, packed, struct.pack("<8f", *(-v for v in values))):
        file.write(part.ljust(64, b"\0"))
