# SPDX-License-Identifier: MIT
"""Kills campaigns with SIGKILL at random moments. Usage: support_kill.py MISPRINT FOLDER KILLS JOBS SEED

After each kill the store opens and its chain is valid. Every reported finding (log.txt has its line) is
there, unless the log says that it was withdrawn. No report is torn. The same command continues the campaign
with a new seed.
"""
import json, os, random, re, signal, subprocess, sys, time

misprint, folder, kills, jobs, seed = sys.argv[1:6]
kills, seed = int(kills), int(seed)
UNITS = ["vc4-vpm", "vc4-qpu", "amd-buffer", "vc4-tmu"]
KILLS_A_CAMPAIGN = 4
rng = random.Random(seed)


def reported(campaign):
    """Findings that the log reports, without withdrawn ones."""
    found = set()
    try:
        lines = open(campaign + "/log.txt").read().splitlines()
    except FileNotFoundError:
        return found
    for line in lines:
        m = re.match(r"(F-[0-9a-f]{12}) (withdrawn)?", line)
        if m:
            (found.discard if m[2] else found.add)(m[1])
    return found


def report(campaign):
    done = subprocess.run([misprint, "report", campaign, "--json", "-"], capture_output=True, text=True)
    if done.returncode == 2 and re.search("no such directory|is not a campaign|empty campaign", done.stderr):
        return None
    if done.returncode not in (0, 1):
        sys.exit(f"the report failed with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def check(campaign, what):
    must, now = reported(campaign), report(campaign)
    ids = {f["id"] for f in now["findings"]} if now else set()
    if now:
        done = subprocess.run([misprint, "verify", campaign], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{what}: the chain is not valid: status {done.returncode}: {done.stdout}{done.stderr}")
    if not must <= ids:
        sys.exit(f"{what}: reported findings are lost: {sorted(must - ids)}")
    return now, len(must)


def continue_campaign(campaign, unit):
    before = report(campaign)
    done = subprocess.run([misprint, "fuzz", unit, "--campaign", campaign, "--cases", "100", "--quiet"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{campaign} does not continue: status {done.returncode}: {done.stderr}")
    now, _ = check(campaign, "after continuing")
    seeds = [r["seed"] for r in now["runs"]]
    if len(set(seeds)) != len(seeds):
        sys.exit(f"a seed was used twice: {seeds}")
    if before and len(now["runs"]) != len(before["runs"]) + 1:
        sys.exit("the earlier runs are gone")
    for f in now["findings"]:
        if not os.path.exists(f"{campaign}/cases/{f['id']}.case"):
            sys.exit(f"finding {f['id']} has no file")
    parts = [n for n in os.listdir(campaign + "/cases") if n.endswith(".part")
             and time.time() - os.stat(campaign + "/cases/" + n).st_mtime > 90]
    if parts:
        sys.exit(f"parts were left: {parts}")


reported_in_all = started = 0
for kill in range(kills):
    unit = UNITS[(kill // KILLS_A_CAMPAIGN) % len(UNITS)]
    campaign = f"{folder}/{kill // KILLS_A_CAMPAIGN}"
    earlier = report(campaign)
    before = len(earlier["runs"]) if earlier else 0
    child = subprocess.Popen([misprint, "fuzz", unit, "--campaign", campaign, "--jobs", jobs, "--quiet"],
                             stdout=subprocess.DEVNULL)
    time.sleep(0.01 * 60 ** rng.random())  # 10 to 600 ms, more often short: most happens at the start
    child.send_signal(signal.SIGKILL)
    child.wait()
    now, must = check(campaign, f"kill {kill} of {unit}")
    reported_in_all += must
    started += now is not None
    if now and not all(r["interrupted"] for r in now["runs"][before:]):
        sys.exit("a run that was killed does not say that it was interrupted")
    if kill % KILLS_A_CAMPAIGN % 2:
        continue_campaign(campaign, unit)
print(f"{kills} kills with --jobs {jobs}: {started} campaigns had begun;"
      f" {reported_in_all} reported findings, none lost")
if not started or not reported_in_all:
    sys.exit("no campaign had reported anything when it was killed, so nothing was tested")
