#!/bin/sh
# SPDX-License-Identifier: MIT
# The checklist for the first real Raspberry Pi (docs/first-pi.md) works line by line: its commands run as
# written, on the stand-in for the kernel's driver behind a stand-in for ssh. The ten questions get the
# answers of the stand-in's profile, in less than five minutes, and the file that is sent has the same ones.
set -u
fake=fake_vc4_drm board=drm
# shellcheck source=tests/support/support_board.sh
. "${MISPRINT_SOURCE_DIR:?}/tests/support/support_board.sh"
source=$MISPRINT_SOURCE_DIR
page=$source/docs/first-pi.md
ln -s "$source/corpus" corpus
mkdir home bin
ln -s "$misprint" home/misprint
ln -s "$misprint" bin/misprint
cat >bin/ssh <<'END'
#!/bin/sh
cd "$FAKE_HOME" && LD_PRELOAD="$FAKE_LIBRARY" exec sh -c "$3"
END
chmod +x bin/ssh
MISPRINT_STATE=
PATH=$work/bin:$PATH MISPRINT_SSH="$work/bin/ssh" FAKE_HOME=$work/home FAKE_LIBRARY=$library
export MISPRINT_STATE PATH MISPRINT_SSH FAKE_HOME FAKE_LIBRARY

# A board that answers two of the questions otherwise than its best-known profile.
FAKE_DRM_PROFILE=bcm2835,vpm-addr-h8=row-div-4,mul24-c-flag=above-24-bits
export FAKE_DRM_PROFILE

sed -n 's/^    //p' "$page" >commands
count=$(grep -c '^misprint ' commands)
[ "$count" -ge 8 ] || bad "the page has only $count commands"
eval "$(grep '^pi=' commands)"
eval "$(grep '^export MISPRINT_AGENT=' commands)"
grep -o '^scripts/[a-z-]*' commands >scripts
while read -r script; do
    [ -x "$source/$script" ] || bad "the page names $script, which does not exist"
done <scripts

# line STATUS PATTERN: runs the page's command that matches PATTERN; its output is in ./out. STATUS may be
# several digits.
line() {
    command=$(grep -m 1 -- "$2" commands) || bad "the page has no command with '$2'"
    status=0
    begin=$(date +%s)
    eval "$(printf '%s' "$command" | sed 's/--time 1h/--time 2/')" >out 2>&1 || status=$?
    seconds=$(($(date +%s) - begin))
    case $1 in *$status*) ;; *) bad "status $status instead of $1: $command" ;; esac
    ! grep -q "^$fake" out || bad "the stand-in complains about wrong calls: $command"
}
# the answers without what follows the list
answers() { sed -n '/^raspberry-pi: 10 questions/,/^vc4/p' out | sed '$d'; }

line 0 '^misprint run '
says 'end = done'
line 0 '^misprint check-board '
says ' 0 wrong'
sed -n 2p out | grep -q 'Fake Raspberry Pi 3' || bad 'the second line does not name the Pi'
line 0 '^misprint adjudicate .*--record'
answers >live
[ "$(grep -c '^    certain: ' live)" -eq 10 ] || bad 'not all ten questions have a certain answer'
grep -A 1 'vpm-addr-h8' live | grep -q '^    row-div-4: ' || bad 'question vpm-addr-h8 has another answer'
grep -A 1 'mul24-c-flag' live | grep -q '^    above-24-bits: ' ||
    bad 'question mul24-c-flag has another answer'
[ "$seconds" -lt 300 ] || bad "the ten questions took $seconds s"
asked=$seconds
line 0 '^misprint verify '
says 'the chain is intact'
line 0 '^misprint adjudicate .*trace:'
answers >recorded
cmp -s live recorded || { diff live recorded >out; bad 'the file has other answers than the board'; }
line 1 '^misprint replay '
says 'vpm-addr-h8'
if [ "${MISPRINT_TEST_LONG:-}" = 1 ]; then
    line 01 '^misprint fuzz vc4-qpu '
    line 1 '^misprint fuzz vc4-vpm '
    line 1 '^misprint report '
fi

[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "the commands work; the ten questions took $asked s on the stand-in," \
    "the file has $(wc -c <pi.trace) bytes"
