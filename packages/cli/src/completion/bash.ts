import type { CompletedCommand, Grammar } from './words.ts';

/**
 * Returns the completion script for bash. The instance provides names. Without an instance, no names and no errors are
 * shown.
 */
export function bashScript({ first, second, commands }: Grammar): string {
  return `# Completions of davit for bash: source this, or put it into /etc/bash_completion.d.
_davit_names() {
  davit "$1" list --quiet 2>/dev/null
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
  case " $valued " in *" $previous "*) COMPREPLY=($(compgen -f -- "$cur")); return ;; esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "\${options:---json --quiet --yes --context --local --no-color --help}" -- "$cur"))
  elif ((count == 0)); then
    COMPREPLY=($(compgen -W "$first" -- "$cur"))
  elif [[ -n $verbs && $count == 1 ]]; then
    COMPREPLY=($(compgen -W "$verbs" -- "$cur"))
  elif [[ $names == file ]]; then
    COMPREPLY=($(compgen -f -- "$cur"))
  elif [[ -n $names ]]; then
    COMPREPLY=($(compgen -W "$(_davit_names "$names")" -- "$cur"))
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
