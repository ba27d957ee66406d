# Completes the word at the cursor by three tables of the program (make_completions.py): _PROGRAM_options, all
# options; _PROGRAM_values, what follows each, after "=" alone where the name ends with it; _PROGRAM_files, endings
# of files.
#
# bash cuts words at "=" (COMP_WORDBREAKS): --emit=sg are three. The word is joined first, and what bash will
# not replace is cut off again at the end.

# _symc_offer_files PART ENDING...: folders, and files with one of the endings, or all.
_symc_offer_files() {
  local part=$1 ending found
  shift
  compopt -o filenames 2>/dev/null
  [[ $# = 0 ]] && set -- ''
  while IFS= read -r found; do
    [[ -d $found ]] && COMPREPLY+=("$found") && continue
    for ending in "$@"; do
      if [[ -z $ending || $found == *".$ending" ]]; then
        COMPREPLY+=("$found")
        break
      fi
    done
  done < <(compgen -f -- "$part")
}

_symc_complete() {
  local name=_${1##*/}
  name=${name//-/_}
  local -n values=${name}_values options=${name}_options files=${name}_files
  local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD]} option='' part
  COMPREPLY=()
  while ((at > 1)) && [[ ${COMP_WORDS[at]} == = || ${COMP_WORDS[at - 1]} == = ]]; do
    word=${COMP_WORDS[--at]}$word
  done
  [[ $last == = ]] && last=''
  part=$word
  if [[ $word == -*=* ]]; then
    option=${word%%=*} part=${word#*=}
    [[ -n ${values[$option=]-} ]] && option+==
  elif ((at > 1)) && [[ -n ${values[${COMP_WORDS[at - 1]}]-} ]]; then
    option=${COMP_WORDS[at - 1]}
  fi
  if [[ -z $option && $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return
  fi
  local kind words
  read -r kind words <<<"${values[${option:-none}]-files $files}"
  if [[ $kind == named-* ]]; then
    [[ $part == *=* || $kind == named-files ]] || return
    kind=${kind#named-} part=${part#*=}
  fi
  if [[ $kind == list ]]; then
    part=${part##*,}
  fi
  case $kind in
    files) _symc_offer_files "$part" $words ;;
    folders)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$part")
      ;;
    words | list) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$part") ;;
  esac
  COMPREPLY=("${COMPREPLY[@]/#/${last%"$part"}}")
}
