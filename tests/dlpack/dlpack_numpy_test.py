# SPDX-License-Identifier: Apache-2.0
"""NDArrays to numpy and back, by DLPack: dlpack_numpy_test.py LIBRARY (dlpack_samples.cc)."""

import ctypes
import sys

import numpy as np

library = ctypes.CDLL(sys.argv[1])
library.sample_tensor.restype = ctypes.c_void_p
library.sample_element.restype = ctypes.c_double
library.weighted_sum.restype = ctypes.c_double
library.weighted_sum.argtypes = [ctypes.c_void_p]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = b"used_dltensor"  # so that the capsule does not free what was taken


class OurArray:  # pylint: disable=too-few-public-methods
    def __dlpack__(self, **_):
        return new_capsule(library.sample_tensor(), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


ours = np.from_dlpack(OurArray())
assert ours.shape == (3, 2) and ours.dtype == np.float32, (ours.shape, ours.dtype)
assert ours.tolist() == [[0, 3], [1, 4], [2, 5]], ours
address = ours.__array_interface__["data"][0]
ctypes.cast(address, ctypes.POINTER(ctypes.c_float))[1] = 42  # numpy's memory is ours
assert library.sample_element(1) == 42 and ours[1, 0] == 42

for dtype in (np.float32, np.float16, np.float64, np.int64, np.int32, np.int8, np.uint8):
    theirs = np.arange(12, dtype=dtype).reshape(3, 4)[::2].T  # strided, in another order
    capsule = theirs.__dlpack__()
    tensor = pointer_of(capsule, b"dltensor")
    rename(capsule, USED)
    expected = float((np.arange(theirs.size) * theirs.astype(np.float64).ravel()).sum())
    found = library.weighted_sum(tensor)
    assert found == expected, (dtype, found, expected)
print("numpy", np.__version__, "shares arrays by DLPack")
