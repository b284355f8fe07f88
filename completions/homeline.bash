# Completion of homeline for bash: `homeline complete` prints the candidates at the cursor.

_homeline() {
  local words=() word explanation joins= index
  # Readline splits words at = and :, which belong to them here.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ${#words[@]} -gt 0 && ( -n $joins || $word =~ ^[=:]+$ ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    joins=
    if [[ $word =~ ^[=:]+$ ]]; then joins=yes; fi
  done
  local current=${words[-1]-} beginning=
  # The part of the word that readline keeps.
  if [[ $current == *[=:]* ]]; then beginning=${current%"${current##*[=:]}"}; fi
  COMPREPLY=()
  while IFS=$'\t' read -r word explanation; do
    if [[ $word == :files ]]; then
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "${current#"$beginning"}")
      return
    fi
    COMPREPLY+=("${word#"$beginning"}")
  done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
}

complete -F _homeline homeline
