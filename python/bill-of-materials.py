"""Writes what the program in a wheel is made of, as it tells itself: bill-of-materials.py FOLDER VIZD

VIZD may be several words: what runs it, and where it lies.

FOLDER/vizd.cdx.json is CycloneDX's, FOLDER/LICENCES has the texts. What CycloneDX has no number for is told by name.
"""
import json, pathlib, subprocess, sys

NPM, DEBIAN = "page", "program"  # vizd's words for the part that it is in
SPDX = {"MIT", "ISC", "Apache-2.0"}  # of those in third_party/README.md, what is SPDX's own name


def component(told):
    licence = {"id": told["licence"]} if told["licence"] in SPDX else {"name": told["licence"]}
    out = {"type": "library", "name": told["name"], "version": told["version"], "licenses": [{"license": licence}]}
    if told["part"] == NPM:
        out["purl"] = f"pkg:npm/{told['name'].replace('@', '%40')}@{told['version']}"
    return out


def main(folder, vizd):
    told = [json.loads(line) for line in subprocess.check_output([*vizd, "licences", "--json"], text=True).splitlines()]
    own = next(one for one in told if one["part"] not in (NPM, DEBIAN))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**component(own), "type": "application"}},
        "components": [component(one) for one in told if one is not own],
    }
    (folder / "vizd.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")
    (folder / "LICENCES").write_text(subprocess.check_output([*vizd, "licences", "--text"], text=True))


main(pathlib.Path(sys.argv[1]), sys.argv[2:])
