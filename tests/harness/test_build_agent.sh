#!/bin/sh
# SPDX-License-Identifier: MIT
# Long tier: the static binaries for Raspberry Pis (scripts/build-agent) run under qemu and answer over the
# board protocol like this machine's model. The mailbox and drm back ends run on their preloaded stand-ins in
# a 32-bit and a 64-bit process, because the mailbox's request has another number there, and the kernel's
# structures must have the same layout.
set -u
misprint=${MISPRINT:?}
[ "${MISPRINT_TEST_LONG:-}" = 1 ] || { echo 'MISPRINT_TEST_LONG=1 runs it (minutes)'; exit 77; }
[ "${MISPRINT_INSTRUMENTED:-0}" = 0 ] || { echo 'once is enough: not in an instrumented build'; exit 77; }
for tool in arm-linux-gnueabi-gcc arm-linux-gnueabihf-gcc aarch64-linux-gnu-gcc qemu-arm-static \
    qemu-aarch64-static; do
    command -v $tool >/dev/null 2>&1 || { echo "no $tool: scripts/setup agent installs it"; exit 77; }
done
source=${MISPRINT_SOURCE_DIR:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
bad() { printf 'FAILED: %s\n' "$*"; tail -n 20 "$work/out"; failures=$((failures + 1)); }

emulator() {
    case $1 in
    arm64) echo qemu-aarch64-static ;;
    armv6) echo 'qemu-arm-static -cpu arm1176' ;;
    *) echo qemu-arm-static ;;
    esac
}

silicon_profile() {
    "$misprint" units | awk -v u="$1" '$1 == u { on = 1 } on && /default virtual/ { print $2; exit }'
}

"$source/scripts/build-agent" >"$work/out" 2>&1 || { bad 'scripts/build-agent'; exit 1; }
for kind in armv6 armhf arm64; do
    agent=$source/build/agent/misprint-$kind
    for unit in vc4-qpu vc4-vpm vc4-tmu v3d-qpu amd-buffer; do
        "$misprint" fuzz $unit --profile "$(silicon_profile $unit)" --cases 2000 --quiet \
            --board "exec:exec $(emulator $kind) '$agent' agent --board virtual" >"$work/out" 2>&1 ||
            bad "$kind, $unit"
        grep -q ' 0 different' "$work/out" || bad "$kind, $unit: the same board answers differently there"
    done
done

MISPRINT_AGENT_DYNAMIC=1 "$source/scripts/build-agent" armhf arm64 >"$work/out" 2>&1 ||
    { bad 'scripts/build-agent, dynamic'; exit 1; }
for kind in armhf arm64; do
    triple=arm-linux-gnueabihf architecture=armhf
    [ $kind = armhf ] || { triple=aarch64-linux-gnu architecture=arm64; }
    built=$source/build/agent/$kind-dynamic
    libraries=$source/build/agent/root-$architecture-dynamic/usr/lib/$triple
    for row in 'mailbox fake_vcio vc4-qpu bcm2835' 'drm fake_vc4_drm vc4-qpu bcm2835' \
        'drm:v3d fake_v3d_drm v3d-qpu v3d42' 'drm:amdgpu fake_amdgpu amd-buffer gfx1100'; do
        # shellcheck disable=SC2086 # the words of a command
        set -- $row
        $(emulator $kind) -L /usr/$triple -E LD_LIBRARY_PATH="$libraries" -E LD_PRELOAD="$built/tests/$2.so" \
            "$built/misprint" fuzz "$3" --profile "$4" --board "$1" --cases 3000 --quiet >"$work/out" 2>&1 ||
            bad "$1, $kind"
        grep -q ' 0 different' "$work/out" || bad "$1, $kind: not as the model"
    done
done
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "three static agents, and the back ends mailbox, drm, drm:v3d and drm:amdgpu of 32 and 64 bits, run" \
    "under qemu"
