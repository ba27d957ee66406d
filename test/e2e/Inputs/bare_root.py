"""Makes a root that has few packages of this system, installs packages in it by dpkg, and runs a command there.

usage: bare_root.py ROOT [--packages NAME,...] [--debs DEB ...] [--copy SOURCE ...] -- COMMAND...

The root holds Debian's essential packages, the named ones, what the debs depend on, and what all of those depend on:
files of this system, and nothing of its other packages. A dependency that a deb does not name is missing there.
SOURCEs lie in /srv, where the command runs. Needs no network; needs root, or a kernel that lets a user be root of a
namespace.
Prints "packages: N of M" first: how many of this system's the root has.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

MERGED = ("bin", "sbin", "lib", "lib64")  # links to folders of /usr
LEFT_OUT = re.compile(r"^/usr/share/(doc|man|locale|info|lintian)/")


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def alternatives(text):
    """The names of each dependency: [["libopenblas0", "liblapack3"], ...]"""
    return [[re.sub(r"[\s(:].*", "", name.strip()) for name in group.split("|")]
            for group in (text or "").split(",") if group.strip()]


def installed():
    """{name: (stanza of the status file, its dependencies)}, {virtual name: provider}"""
    packages, provided = {}, {}
    with open("/var/lib/dpkg/status", encoding="utf-8") as file:
        for stanza in file.read().split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+): (.*)$", stanza, re.M))
            if fields.get("Status", "").endswith(" installed"):
                packages[fields["Package"]] = (stanza, alternatives(fields.get("Depends")) +
                                               alternatives(fields.get("Pre-Depends")))
                for group in alternatives(fields.get("Provides")):
                    provided.setdefault(group[0], fields["Package"])
    return packages, provided


def closure(wanted, packages, provided, own):
    """All packages that `wanted` need. A dependency that this system lacks is one that the test cannot have."""
    found, waiting = set(), list(wanted)
    while waiting:
        group = waiting.pop()
        if set(group) & own:
            continue
        name = next((name for name in group if name in packages), None)
        name = name or next((provided[name] for name in group if name in provided), None)
        if name is None:
            sys.exit("bare_root: this system has no %s" % " or ".join(group))
        if name not in found:
            found.add(name)
            waiting += packages[name][1]
    return found


def copy(path, root):
    target = root + path
    if os.path.lexists(target) or LEFT_OUT.match(path):
        return
    if os.path.isdir(path) and not os.path.islink(path):
        os.makedirs(target, exist_ok=True)
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    try:
        shutil.copy2(path, target, follow_symlinks=False)
    except (PermissionError, FileNotFoundError):
        pass  # what only root reads; what an administrator removed


def fill(root, names, packages):
    for name in MERGED:
        if os.path.islink("/" + name):
            os.makedirs(os.path.join(root, "usr", name), exist_ok=True)
            os.symlink("usr/" + name, os.path.join(root, name))
    for folder in ("dev", "proc", "tmp", "srv", "etc", "var/lib/dpkg/updates", "var/lib/dpkg/info", "var/log"):
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    for name in sorted(names):
        for path in output("dpkg", "-L", name).splitlines():
            if path.startswith("/") and path != "/.":
                copy(path, root)
    # The choices between packages that installing makes: libblas.so.3, awk.
    for folder in ("/usr/bin", "/usr/lib/x86_64-linux-gnu"):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            target = os.readlink(path) if os.path.islink(path) else ""
            if target.startswith("/etc/alternatives/"):
                done = subprocess.run(["update-alternatives", "--list", os.path.basename(target)], check=False,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                chosen = next((each for each in done.stdout.split() if os.path.exists(root + each)), None)
                if chosen:
                    copy(path, root)
                    os.makedirs(root + "/etc/alternatives", exist_ok=True)
                    os.symlink(chosen, root + target)
    database = os.path.join(root, "var", "lib", "dpkg")
    with open(os.path.join(database, "status"), "w", encoding="utf-8") as file:
        file.write("".join(packages[name][0].strip("\n") + "\n\n" for name in sorted(names)))
    for name in os.listdir("/var/lib/dpkg/info"):
        if re.split(r"[:]|\.(?=[a-z0-9]+$)", name)[0] in names:
            shutil.copy2(os.path.join("/var/lib/dpkg/info", name), os.path.join(database, "info"))
    shutil.copytree("/var/lib/dpkg/triggers", os.path.join(database, "triggers"),
                    ignore=shutil.ignore_patterns("Lock"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--packages", default="")
    parser.add_argument("--debs", nargs="*", default=[])
    parser.add_argument("--copy", nargs="*", default=[])
    split = sys.argv.index("--")
    arguments, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    root = os.path.abspath(arguments.root)
    packages, provided = installed()
    own = {output("dpkg-deb", "-f", deb, "Package").strip() for deb in arguments.debs}
    wanted = [[name] for name, (stanza, _) in packages.items() if "\nEssential: yes" in stanza]
    wanted += [[name] for name in arguments.packages.split(",") if name]
    for deb in arguments.debs:
        wanted += alternatives(output("dpkg-deb", "-f", deb, "Depends"))
    names = closure(wanted, packages, provided, own)
    fill(root, names, packages)
    print("packages: %d of %d" % (len(names), len(packages)), flush=True)
    for source in arguments.copy + arguments.debs:
        target = os.path.join(root, "srv", os.path.basename(source.rstrip("/")))
        if os.path.isdir(source):
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    inside = "cd /srv && ldconfig && %sexec \"$@\"" % (
        "dpkg -i %s >dpkg.log 2>&1 || { cat dpkg.log; exit 1; } && " % " ".join(map(os.path.basename, arguments.debs))
        if own else "")
    mounts = "mount --rbind /dev '%s/dev' && mount --rbind /proc '%s/proc'" % (root, root)
    space = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
    clean = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/srv", "LC_ALL": "C.UTF-8",
             "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(space + ["sh", "-c", "%s && exec chroot '%s' sh -c '%s' sh \"$@\"" % (mounts, root, inside),
                                   "sh"] + command, env=clean, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
