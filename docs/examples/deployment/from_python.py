# SPDX-License-Identifier: Apache-2.0
"""A package from Python, without anything but the standard library.

    cc -shared -Wl,--whole-archive resnet18/lib/libresnet18.a -Wl,--no-whole-archive -o libresnet18.so
    python3 from_python.py ./libresnet18.so resnet18/share/resnet18 image.bin
"""
import ctypes
import json
import sys

if len(sys.argv) != 4:
    print(f"usage: {sys.argv[0]} ./libresnet18.so resnet18/share/resnet18 image.bin", file=sys.stderr)
    sys.exit(2)
try:
    library = ctypes.CDLL(sys.argv[1])
except OSError as error:  # it names the file
    sys.exit(str(error))
library.resnet18_metadata.restype = ctypes.c_char_p
library.resnet18_init.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
library.resnet18_status_text.restype = ctypes.c_char_p
metadata = json.loads(library.resnet18_metadata())


def aligned(size: int) -> int:
    """The address of so many bytes, at a multiple of 64; they live as long as the program."""
    memory = ctypes.create_string_buffer(size + 64)
    kept.append(memory)
    return (ctypes.addressof(memory) + 63) // 64 * 64


def check(status: int) -> None:
    if status != 0:
        sys.exit(library.resnet18_status_text(status).decode())


def bytes_of(role: str) -> int:
    """The bytes of the network's only input or output, which the library reads or writes unasked."""
    found = [tensor["bytes"] for tensor in metadata["tensors"] if tensor["role"] == role]
    if len(found) != 1:
        sys.exit(f"resnet18: {len(found)} tensors as {role}, expected one")
    return found[0]


def read(path: str, size: int) -> bytes:
    """A file of exactly so many bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        sys.exit(f"{path}: cannot be read: {error.strerror}")
    if len(data) != size:
        sys.exit(f"{path}: {len(data)} bytes found, expected {size}")
    return data


kept = []
weights = read(f"{sys.argv[2]}/resnet18.weights", metadata["sizes"]["weights"][0]["bytes"])
at = aligned(len(weights))
ctypes.memmove(at, weights, len(weights))
model = (ctypes.c_void_p * 7)()  # a struct of words
check(library.resnet18_init(model, at, len(weights)))

image = read(sys.argv[3], bytes_of("input"))
scores = (ctypes.c_float * (bytes_of("output") // 4))()
inputs = (ctypes.c_void_p * 1)(ctypes.cast(image, ctypes.c_void_p))
outputs = (ctypes.c_void_p * 1)(ctypes.addressof(scores))
workspace = aligned(metadata["sizes"]["workspace"][0]["bytes"])
check(library.resnet18_run(model, inputs, outputs, ctypes.c_void_p(workspace)))
print(f"score of class 0: {scores[0]:.9g}")
