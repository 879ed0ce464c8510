import { NAME_CHARACTERS } from '../output/names.ts';
import type { CompletedCommand, Grammar, Word } from './words.ts';

/**
 * Generates the zsh completion script. The script must not use variables named `path` or `options`, because zsh
 * reserves these names.
 */
export function zshScript({ first, second, commands }: Grammar): string {
  return `#compdef davit
# Completions of davit for zsh: put this as _davit into a folder of $fpath.
# A name with other characters than those of names is left out.
_davit_names() {
  local LC_ALL=C
  local -a names
  names=(\${(f)"$(davit $1 list --quiet 2>/dev/null)"})
  names=(\${names:#-*})
  names=(\${names:#*[^${NAME_CHARACTERS}]*})
  compadd -a names
}

_davit() {
  local -a first verbs flags
  local cur=$words[CURRENT] typed='' names='' word
  local -i count=0 at
  for ((at = 2; at < CURRENT; at++)); do
    word=$words[at]
    case $word in
      --context) ((at++)) ;;
      --) return ;;
      -*) ;;
      *) if ((count < 2)); then typed+="\${typed:+ }$word"; fi; ((count++)) ;;
    esac
  done
  first=(
${described(first)}
  )
  case $typed in
${second.map(([noun, verbs]) => `    '${noun}') verbs=(\n${described(verbs)}\n    ) ;;`).join('\n')}
  esac
  case $typed in
${commands
  .filter(({ words }) => words.includes(' '))
  .map(entry)
  .join('\n')}
  esac
  if (($#flags == 0)); then
    case \${typed%% *} in
${commands
  .filter(({ words }) => !words.includes(' '))
  .map(entry)
  .join('\n')}
    esac
  fi
  if [[ $cur == -* ]]; then
    _describe -o option flags
  elif ((count == 0)); then
    _describe command first
  elif (($#verbs > 0 && count == 1)); then
    _describe command verbs
  elif [[ $names == file ]]; then
    _files
  elif [[ -n $names ]]; then
    _davit_names $names
  fi
}

compdef _davit davit
`;
}

function entry({ words, options, completes }: CompletedCommand): string {
  const names = completes === undefined ? '' : ` names='${completes}'`;
  return `    '${words}')${names} flags=(\n${described(options)}\n    ) ;;`;
}

function described(words: readonly Word[]): string {
  return words.map(({ word, about }) => `      '${quoted(word)}:${quoted(about)}'`).join('\n');
}

/**
 * Escapes text for single quotes in zsh. Colons are also escaped, because zsh uses a colon between a suggested word and
 * its description.
 */
function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(':', '\\:').replaceAll("'", "'\\''");
}
