# complete.sh FILE: reads command lines up to the cursor, in words as bash cuts them, and prints what the
# completion in FILE offers for each.
set -u
. "$1"
while IFS= read -r line; do
  read -ra COMP_WORDS <<<"$line"
  [ "${line% }" = "$line" ] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _symc_complete "${COMP_WORDS[0]}"
  printf '%s: %s\n' "$line" "${COMPREPLY[*]}"
done
