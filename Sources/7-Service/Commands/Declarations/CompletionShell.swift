/// A shell with a completion script.
package enum CompletionShell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// Where the shell finds the script, below `share` in an installation.
  package var installedPath: String {
    switch self {
    case .bash: "bash-completion/completions/homeline"
    case .zsh: "zsh/site-functions/_homeline"
    case .fish: "fish/vendor_completions.d/homeline.fish"
    }
  }

  /// The script, which asks `homeline complete` for the candidates.
  package var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = #"""
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
      # A name with spaces, such as a list's, is inserted with backslashes.
      if [[ ${#words[@]} -gt 0 ]]; then words[-1]=${words[-1]//\\/}; fi
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
        word=${word#"$beginning"}
        if [[ $word == *[[:space:]\'\"\\\&\;\|\(\)\<\>\$\`\*\?\[]* ]]; then printf -v word %q "$word"; fi
        COMPREPLY+=("$word")
      done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
    }

    complete -F _homeline homeline

    """#

  private static let zshScript = #"""
    #compdef homeline
    # Completion of homeline for zsh: `homeline complete` prints the candidates at the cursor.

    local -a lines candidates
    local line
    lines=("${(@f)$("${words[1]}" complete -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
    if [[ ${lines[1]} == :files ]]; then
      compset -P '--*='
      _files
      return
    fi
    for line in $lines; do
      candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    _describe -t words homeline candidates

    """#

  private static let fishScript = #"""
    # Completion of homeline for fish: `homeline complete` prints the candidates at the cursor.

    function __homeline_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l lines ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
        if test "$lines[1]" = ":files"
            __fish_complete_path "$current"
        else
            printf '%s\n' $lines
        end
    end

    complete -c homeline -f -a '(__homeline_complete)'

    """#
}
