# Uses symc's Debian packages in a root that has nothing else: what README.md says, the Python package, the tools, and
# what is left when they are removed.
set -e
symc --version -v
mkdir work && cd work
python3 ../run_commands.py ../digits ../README.md
python3 ../readme.py
python3 -c 'import importlib.metadata, symc.compiler
print("version", importlib.metadata.version("symc"), "by", symc.compiler.program())'
symc ../digits/digits-symbol.json --random-weights --shape data=1,1,28,28 --emit=sg -o net.mlir
symc-opt net.mlir --canonicalize | grep -o 'sg.fully_connected' | sed 's/^/passes: /' | head -n 1
for file in man/man1/symc.1.gz man/man1/symc-opt.1.gz bash-completion/completions/symc zsh/vendor-completions/_symc \
    doc/symc/copyright doc/libsymc-dev/changelog.gz; do
  [ -s "/usr/share/$file" ] || echo "/usr/share/$file is missing"
done
dpkg --purge python3-symc libsymc-dev libsymc0 symc-tools symc > /dev/null
echo "after removal: $(find /usr /etc -name '*symc*' | wc -l) files"
