#!/bin/sh
# places.sh PROGRAM REPORTS: reports of a sanitizer that ran with symbolize=0, with the source lines of their frames.
#
# A sanitizer starts a symbolizer in every process that reports something, and that one reads the debug information of
# the C library too: for hundreds of short processes this takes longer than all they do.  Here it is asked once.
program=$1 reports=$2
name=$(basename "$program")
sed -n "s/.*\/$name+\(0x[0-9a-f]*\)).*/\1/p" "$reports" | sort -u >"$reports.addresses"
addr2line -e "$program" <"$reports.addresses" | paste -d ' ' "$reports.addresses" - |
    awk -v name="/$name+" 'NR == FNR {place[$1] = $2; next}
        /^ *#/ && (at = index($0, name)) {
            address = substr($0, at + length(name)); sub(/\).*/, "", address)
            print "    # " place[address]; next
        }
        {print}' - "$reports"
