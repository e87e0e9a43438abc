/* Chips: identity only, sorted by name. A product has one ISA target and one architecture; a row
 * that is no product stands for "some device of this ISA". Numbers about chips live in the
 * database, each with its source. To add a chip, add a row; tests check order and aliases. */
#include <string.h>
#include <strings.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"

static const struct lore_chip chips[] = {
    /* name, title, vendor, arch, isa, unit, product, aliases */
    {"a10", "NVIDIA A10", "nvidia", "ampere", "sm_86", "SM", true, "a10g"},
    {"a100", "NVIDIA A100", "nvidia", "ampere", "sm_80", "SM", true,
        "a100_pcie_40gb,a100_sxm4_40gb,a100_sxm,a100_pcie,a100_40gb,a100_80gb"},
    {"a100-pcie-80gb", "NVIDIA A100 PCIe 80 GB", "nvidia", "ampere", "sm_80", "SM", true,
        "a100_80gb_pcie"},
    {"a100-sxm-80gb", "NVIDIA A100 SXM 80 GB", "nvidia", "ampere", "sm_80", "SM", true,
        "a100_sxm4_80gb"},
    {"a2000", "NVIDIA RTX A2000", "nvidia", "ampere", "sm_86", "SM", true, "rtx_a2000"},
    {"a30", "NVIDIA A30", "nvidia", "ampere", "sm_80", "SM", true, ""},
    {"a40", "NVIDIA A40", "nvidia", "ampere", "sm_86", "SM", true, ""},
    {"a4000", "NVIDIA RTX A4000", "nvidia", "ampere", "sm_86", "SM", true, "rtx_a4000"},
    {"a4500", "NVIDIA RTX A4500", "nvidia", "ampere", "sm_86", "SM", true, "rtx_a4500"},
    {"a5000", "NVIDIA RTX A5000", "nvidia", "ampere", "sm_86", "SM", true, "rtx_a5000"},
    {"a5500", "NVIDIA RTX A5500", "nvidia", "ampere", "sm_86", "SM", true, "rtx_a5500"},
    {"a6000", "NVIDIA RTX A6000", "nvidia", "ampere", "sm_86", "SM", true, "rtx_a6000"},
    {"b200", "NVIDIA B200", "nvidia", "blackwell", "sm_100", "SM", true, ""},
    {"b300", "NVIDIA B300", "nvidia", "blackwell", "sm_103", "SM", true, ""},
    {"gb10", "NVIDIA GB10", "nvidia", "blackwell", "sm_121", "SM", true, "dgx_spark"},
    {"gb200", "NVIDIA GB200", "nvidia", "blackwell", "sm_100", "SM", true, ""},
    {"gb300", "NVIDIA GB300", "nvidia", "blackwell", "sm_103", "SM", true, ""},
    {"gfx1010", "some gfx1010 device", "amd", "rdna1", "gfx1010", "CU", false, ""},
    {"gfx1011", "some gfx1011 device", "amd", "rdna1", "gfx1011", "CU", false, ""},
    {"gfx1012", "some gfx1012 device", "amd", "rdna1", "gfx1012", "CU", false, ""},
    {"gfx1030", "some gfx1030 device", "amd", "rdna2", "gfx1030", "CU", false, ""},
    {"gfx1031", "some gfx1031 device", "amd", "rdna2", "gfx1031", "CU", false, ""},
    {"gfx1032", "some gfx1032 device", "amd", "rdna2", "gfx1032", "CU", false, ""},
    {"gfx1034", "some gfx1034 device", "amd", "rdna2", "gfx1034", "CU", false, ""},
    {"gfx1035", "some gfx1035 device", "amd", "rdna2", "gfx1035", "CU", false, ""},
    {"gfx1036", "some gfx1036 device", "amd", "rdna2", "gfx1036", "CU", false, ""},
    {"gfx1100", "some gfx1100 device", "amd", "rdna3", "gfx1100", "CU", false, ""},
    {"gfx1101", "some gfx1101 device", "amd", "rdna3", "gfx1101", "CU", false, ""},
    {"gfx1102", "some gfx1102 device", "amd", "rdna3", "gfx1102", "CU", false, ""},
    {"gfx1103", "some gfx1103 device", "amd", "rdna3", "gfx1103", "CU", false, ""},
    {"gfx1150", "some gfx1150 device", "amd", "rdna3.5", "gfx1150", "CU", false, ""},
    {"gfx1151", "some gfx1151 device", "amd", "rdna3.5", "gfx1151", "CU", false, ""},
    {"gfx1152", "some gfx1152 device", "amd", "rdna3.5", "gfx1152", "CU", false, ""},
    {"gfx1200", "some gfx1200 device", "amd", "rdna4", "gfx1200", "CU", false, ""},
    {"gfx1201", "some gfx1201 device", "amd", "rdna4", "gfx1201", "CU", false, ""},
    {"gfx803", "some gfx803 device", "amd", "gcn3", "gfx803", "CU", false, ""},
    {"gfx900", "some gfx900 device", "amd", "vega", "gfx900", "CU", false, ""},
    {"gfx902", "some gfx902 device", "amd", "vega", "gfx902", "CU", false, ""},
    {"gfx904", "some gfx904 device", "amd", "vega", "gfx904", "CU", false, ""},
    {"gfx906", "some gfx906 device", "amd", "vega", "gfx906", "CU", false, ""},
    {"gfx908", "some gfx908 device", "amd", "cdna1", "gfx908", "CU", false, ""},
    {"gfx90a", "some gfx90a device", "amd", "cdna2", "gfx90a", "CU", false, ""},
    {"gfx90c", "some gfx90c device", "amd", "vega", "gfx90c", "CU", false, ""},
    {"gfx940", "some gfx940 device", "amd", "cdna3", "gfx940", "CU", false, ""},
    {"gfx941", "some gfx941 device", "amd", "cdna3", "gfx941", "CU", false, ""},
    {"gfx942", "some gfx942 device", "amd", "cdna3", "gfx942", "CU", false, ""},
    {"gfx950", "some gfx950 device", "amd", "cdna4", "gfx950", "CU", false, ""},
    {"gh200", "NVIDIA GH200", "nvidia", "hopper", "sm_90", "SM", true, "gh200_480gb,grace_hopper"},
    {"gtx1060", "NVIDIA GeForce GTX 1060", "nvidia", "pascal", "sm_61", "SM", true,
        "geforce_gtx_1060,gtx_1060"},
    {"gtx1070", "NVIDIA GeForce GTX 1070", "nvidia", "pascal", "sm_61", "SM", true,
        "geforce_gtx_1070,gtx_1070"},
    {"gtx1080", "NVIDIA GeForce GTX 1080", "nvidia", "pascal", "sm_61", "SM", true,
        "geforce_gtx_1080,gtx_1080"},
    {"gtx1080ti", "NVIDIA GeForce GTX 1080 Ti", "nvidia", "pascal", "sm_61", "SM", true,
        "geforce_gtx_1080_ti,1080ti"},
    {"gtx680", "NVIDIA GeForce GTX 680", "nvidia", "kepler", "sm_30", "SM", true,
        "geforce_gtx_680,gtx_680"},
    {"gtx750", "NVIDIA GeForce GTX 750", "nvidia", "maxwell", "sm_50", "SM", true,
        "geforce_gtx_750,gtx_750"},
    {"gtx980", "NVIDIA GeForce GTX 980", "nvidia", "maxwell", "sm_52", "SM", true,
        "geforce_gtx_980,gtx_980"},
    {"h100", "NVIDIA H100, form factor not recorded", "nvidia", "hopper", "sm_90", "SM", true,
        "nvidia_h100"},
    {"h100-nvl", "NVIDIA H100 NVL", "nvidia", "hopper", "sm_90", "SM", true, ""},
    {"h100-pcie", "NVIDIA H100 PCIe", "nvidia", "hopper", "sm_90", "SM", true, "h100_80gb_pcie"},
    {"h100-sxm", "NVIDIA H100 SXM", "nvidia", "hopper", "sm_90", "SM", true,
        "h100_sxm5,h100_80gb_hbm3,h100_sxm5_80gb"},
    {"h20", "NVIDIA H20", "nvidia", "hopper", "sm_90", "SM", true, ""},
    {"h200", "NVIDIA H200", "nvidia", "hopper", "sm_90", "SM", true, "h200_sxm"},
    {"h800", "NVIDIA H800", "nvidia", "hopper", "sm_90", "SM", true, ""},
    {"h800-pcie", "NVIDIA H800 PCIe", "nvidia", "hopper", "sm_90", "SM", true, ""},
    {"l4", "NVIDIA L4", "nvidia", "ada", "sm_89", "SM", true, ""},
    {"l40", "NVIDIA L40", "nvidia", "ada", "sm_89", "SM", true, ""},
    {"l40s", "NVIDIA L40S", "nvidia", "ada", "sm_89", "SM", true, ""},
    {"mi100", "AMD Instinct MI100", "amd", "cdna1", "gfx908", "CU", true, "instinct_mi100"},
    {"mi210", "AMD Instinct MI210", "amd", "cdna2", "gfx90a", "CU", true, "instinct_mi210"},
    {"mi25", "AMD Radeon Instinct MI25", "amd", "vega", "gfx900", "CU", true,
        "radeon_instinct_mi25,instinct_mi25"},
    {"mi250", "AMD Instinct MI250", "amd", "cdna2", "gfx90a", "CU", true, "instinct_mi250"},
    {"mi250x", "AMD Instinct MI250X", "amd", "cdna2", "gfx90a", "CU", true,
        "instinct_mi250x,amd_instinct_mi250x_mi250"},
    {"mi300a", "AMD Instinct MI300A", "amd", "cdna3", "gfx942", "CU", true,
        "instinct_mi300a,mi300a_a1"},
    {"mi300x", "AMD Instinct MI300X", "amd", "cdna3", "gfx942", "CU", true,
        "instinct_mi300x,mi300x_a1,amd_instinct_mi300x_oam,amd_instinct_mi300x_vf"},
    {"mi308x", "AMD Instinct MI308X", "amd", "cdna3", "gfx942", "CU", true,
        "instinct_mi308x,mi308x_a1"},
    {"mi325x", "AMD Instinct MI325X", "amd", "cdna3", "gfx942", "CU", true, "instinct_mi325x"},
    {"mi350x", "AMD Instinct MI350X", "amd", "cdna4", "gfx950", "CU", true, "instinct_mi350x"},
    {"mi355x", "AMD Instinct MI355X", "amd", "cdna4", "gfx950", "CU", true, "instinct_mi355x"},
    {"mi50", "AMD Instinct MI50", "amd", "vega", "gfx906", "CU", true,
        "instinct_mi50,radeon_instinct_mi50"},
    {"mi60", "AMD Instinct MI60", "amd", "vega", "gfx906", "CU", true,
        "instinct_mi60,radeon_instinct_mi60"},
    {"mi8", "AMD Radeon Instinct MI8", "amd", "gcn3", "gfx803", "CU", true,
        "radeon_instinct_mi8,instinct_mi8"},
    {"orin", "NVIDIA Jetson AGX Orin", "nvidia", "ampere", "sm_87", "SM", true,
        "agx_orin,jetson_orin"},
    {"p100", "NVIDIA Tesla P100", "nvidia", "pascal", "sm_60", "SM", true,
        "tesla_p100,tesla_p100_pcie_16gb,tesla_p100_sxm2_16gb"},
    {"radeon-vii", "AMD Radeon VII", "amd", "vega", "gfx906", "CU", true, "radeon_vii"},
    {"rtx-pro-6000", "NVIDIA RTX PRO 6000 Blackwell", "nvidia", "blackwell", "sm_120", "SM", true,
        "rtx_pro_6000_blackwell_server_edition,rtx_pro_6000_blackwell_workstation_edition"},
    {"rtx2060", "NVIDIA GeForce RTX 2060", "nvidia", "turing", "sm_75", "SM", true,
        "geforce_rtx_2060,rtx_2060"},
    {"rtx2070", "NVIDIA GeForce RTX 2070", "nvidia", "turing", "sm_75", "SM", true,
        "geforce_rtx_2070,rtx_2070"},
    {"rtx2070super", "NVIDIA GeForce RTX 2070 SUPER", "nvidia", "turing", "sm_75", "SM", true,
        "geforce_rtx_2070_super,2070super"},
    {"rtx2080", "NVIDIA GeForce RTX 2080", "nvidia", "turing", "sm_75", "SM", true,
        "geforce_rtx_2080,rtx_2080"},
    {"rtx2080super", "NVIDIA GeForce RTX 2080 SUPER", "nvidia", "turing", "sm_75", "SM", true,
        "geforce_rtx_2080_super,2080super"},
    {"rtx2080ti", "NVIDIA GeForce RTX 2080 Ti", "nvidia", "turing", "sm_75", "SM", true,
        "geforce_rtx_2080_ti,2080ti"},
    {"rtx3050", "NVIDIA GeForce RTX 3050", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3050,rtx_3050"},
    {"rtx3060", "NVIDIA GeForce RTX 3060", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3060,3060"},
    {"rtx3060-laptop", "NVIDIA GeForce RTX 3060 Laptop GPU", "nvidia", "ampere", "sm_86", "SM",
        true, "geforce_rtx_3060_laptop_gpu,rtx_3060_laptop_gpu,rtx_3060l,3060l"},
    {"rtx3060ti", "NVIDIA GeForce RTX 3060 Ti", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3060_ti,3060ti"},
    {"rtx3070", "NVIDIA GeForce RTX 3070", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3070,3070"},
    {"rtx3070ti", "NVIDIA GeForce RTX 3070 Ti", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3070_ti,3070ti"},
    {"rtx3080", "NVIDIA GeForce RTX 3080", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3080,3080"},
    {"rtx3080ti", "NVIDIA GeForce RTX 3080 Ti", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3080_ti,3080ti"},
    {"rtx3090", "NVIDIA GeForce RTX 3090", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3090,3090"},
    {"rtx3090ti", "NVIDIA GeForce RTX 3090 Ti", "nvidia", "ampere", "sm_86", "SM", true,
        "geforce_rtx_3090_ti,3090ti"},
    {"rtx4060", "NVIDIA GeForce RTX 4060", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4060,4060"},
    {"rtx4060ti", "NVIDIA GeForce RTX 4060 Ti", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4060_ti,4060ti"},
    {"rtx4070", "NVIDIA GeForce RTX 4070", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4070,4070"},
    {"rtx4070super", "NVIDIA GeForce RTX 4070 SUPER", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4070_super,4070super"},
    {"rtx4070ti", "NVIDIA GeForce RTX 4070 Ti", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4070_ti,4070ti"},
    {"rtx4070tisuper", "NVIDIA GeForce RTX 4070 Ti SUPER", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4070_ti_super,4070tisuper"},
    {"rtx4080", "NVIDIA GeForce RTX 4080", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4080,4080"},
    {"rtx4080super", "NVIDIA GeForce RTX 4080 SUPER", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4080_super,4080super"},
    {"rtx4090", "NVIDIA GeForce RTX 4090", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4090,4090"},
    {"rtx4090-laptop", "NVIDIA GeForce RTX 4090 Laptop GPU", "nvidia", "ada", "sm_89", "SM", true,
        "geforce_rtx_4090_laptop_gpu,rtx_4090_laptop_gpu"},
    {"rtx5070", "NVIDIA GeForce RTX 5070", "nvidia", "blackwell", "sm_120", "SM", true,
        "geforce_rtx_5070,5070"},
    {"rtx5070ti", "NVIDIA GeForce RTX 5070 Ti", "nvidia", "blackwell", "sm_120", "SM", true,
        "geforce_rtx_5070_ti,5070ti"},
    {"rtx5080", "NVIDIA GeForce RTX 5080", "nvidia", "blackwell", "sm_120", "SM", true,
        "geforce_rtx_5080,5080"},
    {"rtx5090", "NVIDIA GeForce RTX 5090", "nvidia", "blackwell", "sm_120", "SM", true,
        "geforce_rtx_5090,5090"},
    {"rtx6000-ada", "NVIDIA RTX 6000 Ada Generation", "nvidia", "ada", "sm_89", "SM", true,
        "rtx_6000_ada"},
    {"rx5700xt", "AMD Radeon RX 5700 XT", "amd", "rdna1", "gfx1010", "CU", true,
        "radeon_rx_5700_xt,rx_5700_xt"},
    {"rx6600xt", "AMD Radeon RX 6600 XT", "amd", "rdna2", "gfx1032", "CU", true,
        "radeon_rx_6600_xt,rx_6600_xt"},
    {"rx6700xt", "AMD Radeon RX 6700 XT", "amd", "rdna2", "gfx1031", "CU", true,
        "radeon_rx_6700_xt,rx_6700_xt"},
    {"rx6800", "AMD Radeon RX 6800", "amd", "rdna2", "gfx1030", "CU", true,
        "radeon_rx_6800,rx_6800"},
    {"rx6800xt", "AMD Radeon RX 6800 XT", "amd", "rdna2", "gfx1030", "CU", true,
        "radeon_rx_6800_xt,rx_6800_xt"},
    {"rx6900xt", "AMD Radeon RX 6900 XT", "amd", "rdna2", "gfx1030", "CU", true,
        "radeon_rx_6900_xt"},
    {"rx7600", "AMD Radeon RX 7600", "amd", "rdna3", "gfx1102", "CU", true,
        "radeon_rx_7600,rx_7600"},
    {"rx7700xt", "AMD Radeon RX 7700 XT", "amd", "rdna3", "gfx1101", "CU", true,
        "radeon_rx_7700_xt,rx_7700_xt"},
    {"rx7800xt", "AMD Radeon RX 7800 XT", "amd", "rdna3", "gfx1101", "CU", true,
        "radeon_rx_7800_xt,rx_7800_xt"},
    {"rx7900xt", "AMD Radeon RX 7900 XT", "amd", "rdna3", "gfx1100", "CU", true,
        "radeon_rx_7900_xt,rx_7900_xt"},
    {"rx7900xtx", "AMD Radeon RX 7900 XTX", "amd", "rdna3", "gfx1100", "CU", true,
        "radeon_rx_7900_xtx,7900xtx"},
    {"rx9070", "AMD Radeon RX 9070", "amd", "rdna4", "gfx1201", "CU", true,
        "radeon_rx_9070,rx_9070"},
    {"rx9070xt", "AMD Radeon RX 9070 XT", "amd", "rdna4", "gfx1201", "CU", true,
        "radeon_rx_9070_xt,9070xt"},
    {"rxvega56", "AMD Radeon RX Vega 56", "amd", "vega", "gfx900", "CU", true,
        "radeon_rx_vega_56,rx_vega_56,vega_56"},
    {"rxvega64", "AMD Radeon RX Vega 64", "amd", "vega", "gfx900", "CU", true,
        "radeon_rx_vega_64,rx_vega_64,vega_64"},
    {"sm_100", "some sm_100 device", "nvidia", "blackwell", "sm_100", "SM", false,
        "10.0,compute_100,cc_100,sm_100a,compute_100a"},
    {"sm_103", "some sm_103 device", "nvidia", "blackwell", "sm_103", "SM", false,
        "10.3,compute_103,cc_103,sm_103a,compute_103a"},
    {"sm_120", "some sm_120 device", "nvidia", "blackwell", "sm_120", "SM", false,
        "12.0,compute_120,cc_120,sm_120a,compute_120a"},
    {"sm_121", "some sm_121 device", "nvidia", "blackwell", "sm_121", "SM", false,
        "12.1,compute_121,cc_121,sm_121a,compute_121a"},
    {"sm_30", "some sm_30 device", "nvidia", "kepler", "sm_30", "SM", false,
        "3.0,compute_30,cc_30"},
    {"sm_35", "some sm_35 device", "nvidia", "kepler", "sm_35", "SM", false,
        "3.5,compute_35,cc_35"},
    {"sm_37", "some sm_37 device", "nvidia", "kepler", "sm_37", "SM", false,
        "3.7,compute_37,cc_37"},
    {"sm_50", "some sm_50 device", "nvidia", "maxwell", "sm_50", "SM", false,
        "5.0,compute_50,cc_50"},
    {"sm_52", "some sm_52 device", "nvidia", "maxwell", "sm_52", "SM", false,
        "5.2,compute_52,cc_52"},
    {"sm_60", "some sm_60 device", "nvidia", "pascal", "sm_60", "SM", false,
        "6.0,compute_60,cc_60"},
    {"sm_61", "some sm_61 device", "nvidia", "pascal", "sm_61", "SM", false,
        "6.1,compute_61,cc_61"},
    {"sm_70", "some sm_70 device", "nvidia", "volta", "sm_70", "SM", false, "7.0,compute_70,cc_70"},
    {"sm_72", "some sm_72 device", "nvidia", "volta", "sm_72", "SM", false, "7.2,compute_72,cc_72"},
    {"sm_75", "some sm_75 device", "nvidia", "turing", "sm_75", "SM", false,
        "7.5,compute_75,cc_75"},
    {"sm_80", "some sm_80 device", "nvidia", "ampere", "sm_80", "SM", false,
        "8.0,compute_80,cc_80"},
    {"sm_86", "some sm_86 device", "nvidia", "ampere", "sm_86", "SM", false,
        "8.6,compute_86,cc_86"},
    {"sm_87", "some sm_87 device", "nvidia", "ampere", "sm_87", "SM", false,
        "8.7,compute_87,cc_87"},
    {"sm_89", "some sm_89 device", "nvidia", "ada", "sm_89", "SM", false, "8.9,compute_89,cc_89"},
    {"sm_90", "some sm_90 device", "nvidia", "hopper", "sm_90", "SM", false,
        "9.0,compute_90,cc_90,sm_90a,compute_90a"},
    {"t4", "NVIDIA T4", "nvidia", "turing", "sm_75", "SM", true, "tesla_t4"},
    {"tesla-k40", "NVIDIA Tesla K40", "nvidia", "kepler", "sm_35", "SM", true,
        "tesla_k40c,tesla_k40m"},
    {"tesla-k80", "NVIDIA Tesla K80", "nvidia", "kepler", "sm_37", "SM", true, ""},
    {"tesla-p4", "NVIDIA Tesla P4", "nvidia", "pascal", "sm_61", "SM", true, ""},
    {"tesla-p40", "NVIDIA Tesla P40", "nvidia", "pascal", "sm_61", "SM", true, ""},
    {"titan_rtx", "NVIDIA TITAN RTX", "nvidia", "turing", "sm_75", "SM", true, "rtx_titan"},
    {"titan_v", "NVIDIA TITAN V", "nvidia", "volta", "sm_70", "SM", true, ""},
    {"titan_xp", "NVIDIA TITAN Xp", "nvidia", "pascal", "sm_61", "SM", true, ""},
    {"v100", "NVIDIA Tesla V100", "nvidia", "volta", "sm_70", "SM", true,
        "tesla_v100,tesla_v100_sxm2_16gb,tesla_v100_sxm2_32gb,tesla_v100_pcie_16gb,tesla_v100_pcie_"
        "32gb"},
    {"v620", "AMD Radeon PRO V620", "amd", "rdna2", "gfx1030", "CU", true, "radeon_pro_v620"},
    {"w6600", "AMD Radeon PRO W6600", "amd", "rdna2", "gfx1032", "CU", true, "radeon_pro_w6600"},
    {"w6800", "AMD Radeon PRO W6800", "amd", "rdna2", "gfx1030", "CU", true, "radeon_pro_w6800"},
    {"w7700", "AMD Radeon PRO W7700", "amd", "rdna3", "gfx1101", "CU", true, "radeon_pro_w7700"},
    {"w7800", "AMD Radeon PRO W7800", "amd", "rdna3", "gfx1100", "CU", true, "radeon_pro_w7800"},
    {"w7900", "AMD Radeon PRO W7900", "amd", "rdna3", "gfx1100", "CU", true, "radeon_pro_w7900"},
};
#define N_CHIPS (sizeof chips / sizeof *chips)

static struct lore_name_slot slots[2048];
static struct lore_names names = {.slots = slots, .n_slots = 2048};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
fill(void)
{
    for (size_t i = 0; i < N_CHIPS; i++) {
        lore_names_add(&names, chips[i].name, strlen(chips[i].name), i);
        lore_names_add(&names, chips[i].title, strlen(chips[i].title), i);
        lore_names_add_list(&names, chips[i].aliases, i);
    }
}

const struct lore_names *
lore_chip_names(void)
{
    pthread_once(&once, fill);
    return &names;
}

const struct lore_chip *
lore_chips(size_t *n)
{
    *n = N_CHIPS;
    return chips;
}

/* Drivers print features behind an ISA ("gfx942:sramecc+:xnack-") and the vendor before a product
 * ("NVIDIA H200"). Both are ignored. */
const struct lore_chip *
lore_chip_find(const char *name)
{
    size_t len;
    int row;

    if (!name)
        return NULL;
    len = strcspn(name, ":");
    row = lore_names_find(lore_chip_names(), name, len);
    if (row < 0 && len > 7 && strncasecmp(name, "nvidia ", 7) == 0)
        row = lore_names_find(&names, name + 7, len - 7);
    if (row < 0 && len > 4 && strncasecmp(name, "amd ", 4) == 0)
        row = lore_names_find(&names, name + 4, len - 4);
    return row < 0 ? NULL : &chips[row];
}

bool
lore_chip_covers(const struct lore_chip *asked, const struct lore_chip *chip)
{
    if (!asked || !chip)
        return false;
    if (!asked->product)
        return strcmp(asked->isa, chip->isa) == 0;
    size_t n = strlen(asked->name);
    return strncmp(asked->name, chip->name, n) == 0 &&
           (chip->name[n] == '\0' || chip->name[n] == '-');
}

bool
lore_chip_variant(const char *w, size_t n)
{
    /* "max": Max-Q; "nx", "nano": of a Jetson; "d": variant for export to China */
    static const char *const variants[] = {
        "ti", "super", "laptop", "mobile", "max", "d", "nvl", "nx", "nano", "xt", "xtx", "gre"};

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strlen(variants[i]) == n && strncasecmp(variants[i], w, n) == 0)
            return true;
    return false;
}

const char *
lore_chip_hint(struct lore_arena *arena, const char *s)
{
    const char *left[N_CHIPS], *out = "";
    const char *slug = lore_slug(arena, s);
    size_t n = 0;

    for (size_t i = 0; i < N_CHIPS; i++)
        left[n++] = chips[i].name;
    for (int k = 0; k < 3; k++) {
        int near = lore_nearest(slug, left, n);

        if (near < 0)
            break;
        out = lore_format(arena, "%s%s%s", out, out[0] != '\0' ? ", " : "", left[near]);
        left[near] = left[--n];
    }
    return out;
}

enum lore_travel
lore_chip_travel(const struct lore_chip *a, const struct lore_chip *b)
{
    if (!a || !b)
        return LORE_T_UNKNOWN;
    if (strcmp(a->name, b->name) == 0)
        return LORE_T_SAME_CHIP;
    if (strcmp(a->vendor, b->vendor) != 0)
        return LORE_T_OTHER_VENDOR;
    if (strcmp(a->isa, b->isa) == 0)
        return LORE_T_SAME_ISA;
    return strcmp(a->arch, b->arch) == 0 ? LORE_T_SAME_ARCH : LORE_T_SAME_VENDOR;
}

const char *
lore_travel_name(enum lore_travel t)
{
    static const char *const travel_names[LORE_T_COUNT] = {"same chip", "same ISA",
        "same architecture", "same vendor", "other vendor", "not recorded"};

    return (unsigned)t < LORE_T_COUNT ? travel_names[t] : NULL;
}
