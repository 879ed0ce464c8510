import { NAME_CHARACTERS } from '../output/names.ts';
import type { CompletedCommand, Grammar } from './words.ts';

/**
 * Generates the bash completion script. The script gets names from `davit … list --quiet`. If the instance is
 * unreachable, the script prints no error.
 */
export function bashScript({ first, second, commands }: Grammar): string {
  return `# Completions of davit for bash: source this, or put it into /etc/bash_completion.d.
# Offers the words that begin with the typed text. compgen -W would run words as shell code.
_davit_offer() {
  local typed=$1 word
  shift
  for word in "$@"; do
    if [[ $word == "$typed"* ]]; then COMPREPLY+=("$word"); fi
  done
}

# Offers the names of the instance. The shell inserts them unquoted, so a name with other characters is left out.
_davit_names() {
  local LC_ALL=C name
  while IFS= read -r name; do
    if [[ -n $name && $name != -* && $name != *[!${NAME_CHARACTERS}]* ]]; then _davit_offer "$2" "$name"; fi
  done < <(davit "$1" list --quiet 2>/dev/null)
}

# Offers files. Readline does this, because it quotes their names.
_davit_files() {
  compopt -o default 2>/dev/null
}

_davit() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' count=0 word skip=''
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      --context) skip=1 ;;
      --) return ;;
      -*) ;;
      *) if ((count < 2)); then words+="\${words:+ }$word"; fi; count=$((count + 1)) ;;
    esac
  done
  local first='${first.map(({ word }) => word).join(' ')}'
  local verbs='' options='' names='' valued=''
  case $words in
${second.map(([noun, verbs]) => `    '${noun}') verbs='${verbs.map(({ word }) => word).join(' ')}' ;;`).join('\n')}
  esac
  case $words in
${commands
  .filter(({ words }) => words.includes(' '))
  .map((command) => entry(command))
  .join('\n')}
  esac
  if [[ -z $options ]]; then
    case \${words%% *} in
${commands
  .filter(({ words }) => !words.includes(' '))
  .map((command) => entry(command, '  '))
  .join('\n')}
    esac
  fi
  case " $valued " in *" $previous "*) _davit_files; return ;; esac
  if [[ $cur == -* ]]; then
    _davit_offer "$cur" \${options:---json --quiet --yes --context --local --no-color --help}
  elif ((count == 0)); then
    _davit_offer "$cur" $first
  elif [[ -n $verbs && $count == 1 ]]; then
    _davit_offer "$cur" $verbs
  elif [[ $names == file ]]; then
    _davit_files
  elif [[ -n $names ]]; then
    _davit_names "$names" "$cur"
  fi
}

complete -F _davit davit
`;
}

function entry({ words, options, valued, completes }: CompletedCommand, indent = ''): string {
  const values = [
    `options='${options.map(({ word }) => word).join(' ')}'`,
    ...(valued.length > 0 ? [`valued='${valued.join(' ')}'`] : []),
    ...(completes === undefined ? [] : [`names='${completes}'`]),
  ];
  return `${indent}    '${words}') ${values.join(' ')} ;;`;
}
