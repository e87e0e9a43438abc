#!/usr/bin/env python3
"""Two spawned processes that launch first and then open ranges by a library that they load late, also in a
thread of their own, as PyTorch does in its backward pass: spawned.py LIBRARY TEXT"""
import ctypes
import multiprocessing
import sys
import threading


def work(rank, library, text):
    cuda = ctypes.CDLL("libcuda.so.1")
    cuda.fake_function.restype = ctypes.c_void_p
    cuda.cuLaunchKernel.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3
    cuda.cuInit(0)
    kernel = cuda.fake_function(b"sm90_gemm", 40)

    def launch(times):
        for _ in range(times):
            cuda.cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, None, None, None)

    def in_range(times):
        ranges.library_push(text.encode())
        launch(times)
        ranges.library_pop()

    launch(5)
    ranges = ctypes.CDLL(library)
    for _ in range(4 - rank):
        in_range(3)
    backward = threading.Thread(target=in_range, args=(2,))
    backward.start()
    backward.join()


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(rank, *sys.argv[1:3])) for rank in range(2)]
    for p in processes:
        p.start()
    for p in processes:
        p.join()
    print("the program's own words", [p.exitcode for p in processes])
