"""What a user pastes or submits: the Kubernetes manifests and the GitHub workflow are what those systems read, and their
command lines work: run here, on one machine, pod by pod. `submit` asks Slurm for what it should; here nobody takes the jobs. Usage: manifests_test.py PROGRAM ROOT. Without python3-yaml it is skipped.
"""

import filecmp
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
SHARDS = 8


def run(command: list[str], folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path, **environment}, timeout=60, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def succeed(command: list[str], folder: pathlib.Path, **environment: str) -> str:
    result = run(command, folder, **environment)
    assert result.returncode == 0, f"{command}: exit code {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def pod_of(job: dict) -> dict:
    """What the API asks of a Job whose pods are tried again; returns its pod."""
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
    pod = job["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never"
    volumes = {volume["name"] for volume in pod["volumes"]}
    assert len(pod["containers"]) == 1
    assert {mount["name"] for mount in pod["containers"][0]["volumeMounts"]} == volumes
    return pod


def command_of(pod: dict, folder: pathlib.Path) -> list[str]:
    """The command line of the pod's container, with its mounts in the folder."""
    container = pod["containers"][0]
    line = json.dumps(container["command"] + container["args"])
    for mount in container["volumeMounts"]:
        line = line.replace(mount["mountPath"] + "/", f"{folder}{mount['mountPath']}/")
    return json.loads(line)


def check_sweep_job(claim: dict, job: dict) -> None:
    spec = job["spec"]
    assert (claim["apiVersion"], claim["kind"]) == ("v1", "PersistentVolumeClaim")
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    pod = pod_of(job)
    assert claim["metadata"]["name"] in [volume.get("persistentVolumeClaim", {}).get("claimName") for volume in pod["volumes"]]
    assert spec["completionMode"] == "Indexed" and spec["completions"] == SHARDS and spec["parallelism"] <= SHARDS
    assert spec["podReplacementPolicy"] == "Failed", "with a podFailurePolicy the API takes nothing else"
    for rule in spec["podFailurePolicy"]["rules"]:
        assert rule.get("onExitCodes", {"containerName": "sweep"})["containerName"] == pod["containers"][0]["name"]


def kubernetes(root: pathlib.Path, folder: pathlib.Path, yaml) -> None:
    claim, sweep = yaml.safe_load_all((root / "tools/kubernetes/sweep-job.yaml").read_text(encoding="utf-8"))
    merge = yaml.safe_load((root / "tools/kubernetes/merge-job.yaml").read_text(encoding="utf-8"))
    check_sweep_job(claim, sweep)
    (folder / "input").mkdir()
    (folder / "store").mkdir()
    (folder / "input/scenario.json").write_bytes((root / "scenarios/by-hand.json").read_bytes())
    (folder / "input/sweep.json").write_text(json.dumps({
        "name": "machines", "scenario": "scenario.json",
        "vary": {"grid": [{"at": "/pools/0/machines", "values": list(range(2, 22))}]}}), encoding="utf-8")
    for index in range(SHARDS):
        succeed(command_of(pod_of(sweep), folder), folder, JOB_COMPLETION_INDEX=str(index))
    merged = succeed(command_of(pod_of(merge), folder), folder)
    assert succeed(command_of(pod_of(merge), folder), folder) == merged, "the merge job may be tried again"
    succeed(["stockout", "sweep", "input/sweep.json", "--store", "alone.sqlite"], folder)
    assert merged == succeed(["stockout", "sweep", "export", "alone.sqlite"], folder)
    (folder / "store/sweep.sqlite").unlink()
    text = (folder / "input/sweep.json").read_text(encoding="utf-8")
    (folder / "input/sweep.json").write_text(text.replace("21]", "25]"), encoding="utf-8")
    assert "21]" in text and run(command_of(pod_of(merge), folder), folder).returncode != 0, "the shards are of another sweep"
    (folder / "input/sweep.json").write_text(text, encoding="utf-8")
    missing = folder / f"store/sweep.shard-3-of-{SHARDS}.sqlite"
    missing.unlink()
    assert run(command_of(pod_of(merge), folder), folder).returncode != 0, "a shard is missing"


def github(root: pathlib.Path, folder: pathlib.Path, yaml) -> None:
    workflow = yaml.safe_load((root / "tools/github/check.yml").read_text(encoding="utf-8"))
    triggers = workflow[True]  # YAML 1.1 reads the key `on` as true; GitHub does not
    assert triggers == ["push", "pull_request"]
    (job,) = workflow["jobs"].values()
    steps = {step.get("name", step.get("uses", "").split("@")[0]): step for step in job["steps"]}
    assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    assert steps["actions/cache"]["with"]["path"] == workflow["env"]["CCACHE_DIR"]
    assert "cancelled" in steps["actions/upload-artifact"]["if"], "the report of a failed check is wanted most"
    quickstart = steps["build"]["run"].split()[-1]
    assert os.access(root / quickstart.removeprefix(".stockout/"), os.X_OK)

    (folder / ".stockout/build/release").mkdir(parents=True)
    (folder / ".stockout/build/release/stockout").symlink_to(folder / "bin/stockout")
    scenario, baseline = str(root / "scenarios/by-hand.json"), "by-hand.baseline.json"
    succeed(["stockout", "check", scenario, "--baseline", baseline, "--update"], folder)
    command = ["bash", "-e", "-c", steps["check"]["run"]]
    succeed(command, folder, SCENARIO=scenario, BASELINE=baseline)
    report = folder / steps["actions/upload-artifact"]["with"]["path"]
    assert "<testsuite" in report.read_text(encoding="utf-8")
    report.unlink()
    moved = run(["stockout", "check", scenario, "--set", "/pools/0/machines=4", "--baseline", baseline], folder)
    assert moved.returncode == 1, f"exit code {moved.returncode}: {moved.stderr}"


SBATCH = """#!/bin/bash
[[ $* != *afterany* || -z ${REFUSE_MERGE:-} ]] || exit 1
printf '%s\\0' "$@" >>"$ASKED"; printf '\\n' >>"$ASKED"
printf '7%s;cluster\\n' "$(wc -l <"$ASKED")"
"""


def slurm(root: pathlib.Path, folder: pathlib.Path, _yaml) -> None:
    for name, text in {"sbatch": SBATCH, "scancel": '#!/bin/bash\necho "cancelled $*" >>"$ASKED"\n'}.items():
        (folder / "bin" / name).write_text(text, encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    (folder / "my 100% sweep.json").touch()
    asked = folder / "asked"
    submit, sweep, store = str(root / "tools/slurm/submit"), "my 100% sweep.json", "my 100% store.sqlite"
    environment = {"ASKED": str(asked), "STOCKOUT": "bin/stockout"}

    succeed([submit, sweep, store, "12", "--partition=the cpus"], folder, **environment)
    array, merge = (line.split("\0")[:-1] for line in asked.read_text(encoding="utf-8").splitlines())
    program = str((folder / "bin/stockout").resolve())
    assert array[0] == merge[0] == "--partition=the cpus"
    assert {"--array=0-11", f"--output={folder}/my 100%% store.shard-%a.log"} <= set(array)
    assert array[-4:] == [program, f"{folder}/{sweep}", f"{folder}/{store}", "12"]
    assert {"--dependency=afterany:71", f"--output={folder}/my 100%% store.merge.log"} <= set(merge)
    assert merge[-4:] == array[-4:]

    asked.unlink()
    assert run([submit, sweep, store, "12"], folder, **environment, REFUSE_MERGE="1").returncode == 2
    assert asked.read_text(encoding="utf-8").endswith("cancelled 71\n"), "an array without a merge is of no use"

    (folder / "there.sqlite").touch()
    for bad in [[], [sweep, store], ["no.json", store, "4"], [sweep, "store.db", "4"], [sweep, "no/store.sqlite", "4"],
                [sweep, "there.sqlite", "4"], [sweep, store, "0"], [sweep, store, "-1"], [sweep, store, "four"]]:
        result = run([submit, *bad], folder, **environment)
        assert result.returncode == 2 and result.stderr.startswith("submit: "), f"{bad}: {result}"


def main(program: pathlib.Path, root: pathlib.Path) -> int:
    try:
        import yaml
    except ImportError:
        print("skipped: python3-yaml is not installed")
        return SKIPPED
    for check in (kubernetes, github, slurm):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "bin").mkdir()
            (folder / "bin/stockout").symlink_to(program.resolve())
            check(root, folder, yaml)
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()))
