#!/bin/sh
# SPDX-License-Identifier: MIT
# Long tier: the Debian packages of scripts/deb are built, lintian finds no error in them, and they can be
# installed, run and removed in a clean root. Nothing of them remains there.
set -u
: "${MISPRINT_SOURCE_DIR:?}"
[ "${MISPRINT_TEST_LONG:-}" = 1 ] ||
    { echo 'skipped: the long tier (MISPRINT_TEST_LONG=1) builds packages'; exit 77; }
for command in dh lintian mmdebstrap; do
    command -v $command >/dev/null 2>&1 ||
        { echo "skipped: no $command; \`scripts/setup package\` installs it"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'skipped: only root can install packages in a root of its own'; exit 77; }
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
root=$tmp/root
trap 'umount "$root/proc" 2>/dev/null; rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 "$@"; }
as_user() { in_root setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }

expect 0 'build/deb/misprint_[0-9.]*_.*\.deb$' scripts/deb
cp build/deb/*.deb "$tmp"
expect 0 '' lintian --fail-on error "$tmp"/misprint_*.deb "$tmp"/libmisprint-dev_*.deb
cat "$tmp/out"

# A clean root, with the package lists of this machine. misprint needs only libraries.
expect 0 '' mmdebstrap --mode=root --variant=apt "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root"
[ "$failures" -eq 0 ] || { sum_up; exit 1; }
cp "$tmp"/*.deb "$root/tmp"
mount -t proc proc "$root/proc" # by which the command finds its cases
find "$root" -xdev -name '*misprint*' | sort >"$tmp/before"
expect 0 '' in_root apt-get update
expect 0 '' in_root sh -c 'apt-get install -y --no-install-recommends /tmp/misprint_*.deb \
    /tmp/libmisprint-dev_*.deb'

version=$(sed -n 's/^project(misprint VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
expect 0 "^misprint $version" as_user misprint --version
expect 1 '^next: misprint report ' as_user misprint fuzz vc4-vpm --cases 2000
expect 0 'vpm-addr-h8  manual  certain: 1 case' as_user misprint adjudicate vpm-addr-h8
expect 0 ' ' in_root sh -c 'zcat -f /usr/share/man/man1/misprint-fuzz.1*'
for file in doc/misprint/README.md doc/misprint/docs/first-pi.md doc/misprint/copyright \
    misprint/corpus/raspberry-pi.questions \
    bash-completion/completions/misprint zsh/vendor-completions/_misprint; do
    check "$file is installed" sh -c "ls '$root/usr/share/'$file"
done
check 'so is the library' \
    sh -c "cd '$root'/usr/lib/*-linux-gnu* && ls libmisprint-model.a cmake/misprint/misprint-config.cmake"

expect 0 '' in_root apt-get purge -y misprint libmisprint-dev
find "$root" -xdev -name '*misprint*' ! -path "$root/tmp/.local/*" | sort >"$tmp/after"
check 'nothing remains after the removal' cmp "$tmp/before" "$tmp/after"
sum_up
