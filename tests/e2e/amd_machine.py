"""A machine with one MI300X for tests: sysfs as amdgpu writes it, and the environment in which our
programs find it and the double of the HIP runtime."""
import os
import struct

GPU_ID = 51974
PROPERTIES = """cpu_cores_count 0
simd_count 1216
mem_banks_count 1
caches_count 500
io_links_count 8
max_waves_per_simd 8
lds_size_in_kb 64
wave_front_size 64
array_count 32
simd_arrays_per_engine 1
cu_per_simd_array 10
simd_per_cu 4
gfx_target_version 90402
vendor_id 4098
device_id 29857
location_id 3072
domain 0
drm_render_minor 128
unique_id 9876543210123
num_xcc 8
max_engine_clk_fcompute 2100
local_mem_size 0
"""
DEVICE = {
    "current_compute_partition": "SPX\n", "current_memory_partition": "NPS1\n",
    "vbios_version": "113-MI3SRIOV-001\n", "hwmon/hwmon3/name": "amdgpu\n",
    "hwmon/hwmon3/freq1_input": "2087000000\n", "hwmon/hwmon3/freq2_input": "1300000000\n",
    "hwmon/hwmon3/power1_input": "412000000\n", "hwmon/hwmon3/power1_cap": "750000000\n",
    "hwmon/hwmon3/temp2_input": "61000\n",
}


def metrics(power_residency):
    """gpu_metrics 1.6, with how long the power limit has applied."""
    head = struct.pack("<HBB6H2Q", 200, 1, 6, 61, 55, 50, 412, 99, 40, 0, 0)
    return (head + struct.pack("<6I", 1000, 0, power_residency, 0, 0, 0)).ljust(200, b"\0")


def write(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())


def sysfs(folder, **device):
    """A tree in FOLDER; DEVICE: other contents of the device's files."""
    nodes = "class/kfd/kfd/topology/nodes"
    write(folder, {f"{nodes}/0/properties": "cpu_cores_count 96\nsimd_count 0\n", f"{nodes}/0/gpu_id": "0\n",
                   f"{nodes}/1/properties": PROPERTIES, f"{nodes}/1/gpu_id": f"{GPU_ID}\n",
                   "module/amdgpu/version": "6.8.5\n"})
    write(os.path.join(folder, "class/drm/renderD128/device"), {"gpu_metrics": metrics(0), **DEVICE, **device})
    return folder


def environment(folder, double, **more):
    """For a program that uses the GPU, and for ours."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("WARPLORE_", "FAKE_", "ROCP_", "CUDA_INJECTION"))}
    env.update(HOME=folder, WARPLORE_SYSFS=os.path.join(folder, "sys"), WARPLORE_STATE=os.path.join(folder, "state"),
               LD_LIBRARY_PATH=os.path.dirname(os.path.abspath(double)), LC_ALL="C.UTF-8", **more)
    return env
