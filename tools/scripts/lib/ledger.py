"""The ledger of a build folder: which suites passed, with which programs, inputs and flags.

A suite is a test of ctest. Its parts are all that its result depends on (suites.py names them): its command, its
environment, files, folders. Each part has a digest of what it holds; a suite's entry keeps those of its last pass, the
counts of its single tests and its time. An entry holds as long as every digest is the same: then the suite would pass
again, and is not run. Failures have no entry; a suite whose parts changed while it ran gets none.

    BUILD/ledger.json         {"suites": {NAME: {"parts", "counts", "seconds"}}, "times": {NAME: seconds}}
    BUILD/ledger-files.json   digests of files by path, size and time of change, so that each is read once
"""
import hashlib
import json
import os

LEFT_OUT = ("__pycache__", ".git")


def write_json(path, value):
    """Replaces the file at once: a reader, or a next run after a kill, sees the old or the new one."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(path + ".part", path)


def read_json(path, otherwise):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return otherwise


def digest_of(text):
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


class Files:
    """Digests of files and folders. `kept`: the file that holds those of earlier runs."""

    def __init__(self, kept=None):
        self.kept, self.known, self.read = kept, read_json(kept, {}) if kept else {}, 0

    def save(self):
        if self.kept and self.read:
            write_json(self.kept, self.known)

    def file(self, path):
        """Of the bytes, and whether they may be executed; "none" where there is no file."""
        try:
            facts = os.stat(path)
        except OSError:
            return "none"
        seen = [facts.st_size, facts.st_mtime_ns, facts.st_ino, facts.st_mode & 0o111]
        if self.known.get(path, [None])[0] != seen:
            try:
                with open(path, "rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") \
                        else hashlib.sha256(file.read()).hexdigest()
            except OSError:
                return "none"
            self.read += 1
            self.known[path] = [seen, "%s %d" % (digest, bool(seen[3]))]
        return self.known[path][1]

    def files(self, root, names):
        """Of files by their names below a folder."""
        return digest_of("".join("%s %s\n" % (name, self.file(os.path.join(root, name))) for name in sorted(names)))

    def folder(self, path):
        names = []
        for folder, folders, found in os.walk(path):
            folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
            names += [os.path.relpath(os.path.join(folder, name), path) for name in found]
        return self.files(path, names)

    def outside(self, path):
        """Of a file or a folder that is no part of the project, which may hold gigabytes: by names, sizes and times."""
        lines = []
        if os.path.isfile(path):
            facts = os.stat(path)
            return "%d %d" % (facts.st_size, facts.st_mtime_ns)
        for folder, folders, found in os.walk(path):
            folders.sort()
            for name in sorted(found):
                facts = os.lstat(os.path.join(folder, name))
                lines.append("%s %d %d\n" % (os.path.join(folder, name), facts.st_size, facts.st_mtime_ns))
        return digest_of("".join(lines))


class Ledger:
    def __init__(self, build):
        self.path = os.path.join(build, "ledger.json")
        kept = read_json(self.path, {})
        self.suites, self.times = kept.get("suites", {}), kept.get("times", {})

    def save(self):
        write_json(self.path, {"suites": self.suites, "times": self.times})

    def changed(self, name, parts):
        """The parts that are not as they were when the suite passed; None where it has no entry."""
        entry = self.suites.get(name)
        if entry is None:
            return None
        return sorted(part for part in {*parts, *entry["parts"]} if parts.get(part) != entry["parts"].get(part))

    def holds(self, name, parts):
        return self.changed(name, parts) == []

    def record(self, name, passed, seconds, parts, counts):
        """The end of a run of a suite; `parts` None where they changed meanwhile."""
        self.times[name] = seconds
        self.suites.pop(name, None)
        if passed and parts is not None:
            self.suites[name] = {"parts": parts, "counts": list(counts), "seconds": seconds}
        self.save()

    def estimate(self, suites, jobs):
        """(seconds that suites take, how many of them have never been run); `suites`: {name: processors}."""
        known = [(self.times[name], processors) for name, processors in suites.items() if name in self.times]
        work = sum(seconds * min(processors, jobs) for seconds, processors in known) / max(jobs, 1)
        return max([work, *(seconds for seconds, _ in known)]), len(suites) - len(known)
