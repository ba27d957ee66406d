# Installs the wheel in an environment of a root without LLVM, and uses it.
set -e
echo "libraries of LLVM in the system: $(find / -xdev -name 'libLLVM*' | wc -l)"
python3 -m venv --system-site-packages /srv/env
/srv/env/bin/python -m pip install --quiet --no-deps --no-index --disable-pip-version-check /srv/*.whl
PATH=/usr/bin /srv/env/bin/python readme.py
/srv/env/bin/python installed_package.py
