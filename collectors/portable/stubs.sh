#!/usr/bin/env bash
# stubs.sh CC FOLDER: the C library as glibc 2.28 had it, for linking only.
# Each symbol of this host's libc and libm is there in its newest version up to 2.28, as the default;
# what came later is not there. A program that is linked with -L FOLDER needs no newer glibc, and one
# that uses a newer function does not link. Functions of libpthread and libdl, which 2.34 moved into
# libc, keep their old versions there.
set -euo pipefail
cc=$1 folder=$2
mkdir -p "$folder"

# The symbols of library $1 as assembly in $2.s and as a version script in $2.map.
describe() {
  objdump -T "$1" | awk -v out="$2" '
    function age(v, part) { split(v, part, "."); return part[1] * 10000 + part[2] * 100 + part[3] }
    /\*UND\*|\*ABS\*/ || !/GLIBC_[0-9]/ || / \.tbss|\.tdata/ { next }
    {
      name = $NF; version = $(NF - 1); gsub(/[()]|GLIBC_/, "", version)
      if (age(version) > age("2.28") || (name in newest && age(newest[name]) >= age(version))) next
      newest[name] = version; address[name] = $1
      size[name] = $(NF - 2); object[name] = / DO /
    }
    END {
      asm = out ".s"; map = out ".map"
      for (name in newest) {
        names[newest[name]] = names[newest[name]] " " name ";"
        if (object[name]) data[address[name]] = data[address[name]] " " name
        else printf ".globl %s\n.type %s,%%function\n%s: .byte 0\n", name, name, name >asm
      }
      print ".bss" >asm
      for (at in data) { # names of one variable stay together
        n = split(data[at], name_of, " ")
        print ".balign 32" >asm
        for (i = 1; i <= n; i++)
          printf ".globl %s\n.type %s,%%object\n.size %s,0x%s\n%s:\n", name_of[i], name_of[i],
            name_of[i], size[name_of[i]], name_of[i] >asm
        printf ".skip 0x%s + 1\n", size[name_of[1]] >asm
      }
      print ".section .note.GNU-stack,\"\",%progbits" >asm
      n = 0
      for (version in names) order[++n] = version
      for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
          if (age(order[j]) < age(order[i])) { t = order[i]; order[i] = order[j]; order[j] = t }
      for (i = 1; i <= n; i++)
        printf "GLIBC_%s {%s%s }%s;\n", order[i], " global:" names[order[i]],
          i == 1 ? " local: *;" : "", i == 1 ? "" : " GLIBC_" order[i - 1] >map
    }'
}

for name in libc.so.6 libm.so.6; do
  describe "$("$cc" -print-file-name="$name")" "$folder/$name"
  "$cc" -shared -nostdlib -Wl,-soname,"$name" -Wl,--version-script,"$folder/$name.map" \
    -o "$folder/$name" "$folder/$name.s"
done
loader=$(objdump -p "$("$cc" -print-file-name=libc.so.6)" | awk '/NEEDED.*ld-/ {print $2}')
echo "GROUP ( $folder/libc.so.6 $("$cc" -print-file-name=libc_nonshared.a)" \
  "AS_NEEDED ( $("$cc" -print-file-name="$loader") ) )" >"$folder/libc.so"
echo "GROUP ( $folder/libm.so.6 )" >"$folder/libm.so"
