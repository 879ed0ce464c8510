import { NAME_PATTERN } from '../output/names.ts';
import type { CompletedCommand, Grammar, Word } from './words.ts';

export function fishScript({ first, second, commands }: Grammar): string {
  return `# Completions of davit for fish: put this as davit.fish into ~/.config/fish/completions.
# Prints the names of the instance. A name with other characters than those of names is left out.
function __davit_names
  davit $argv[1] list --quiet 2>/dev/null | string match -r '${NAME_PATTERN}'
end

function __davit_path
  set -l path
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case --context
        set skip 1
      case '-*'
      case '*'
        set -a path $word
    end
  end
  echo $path
end

function __davit_at
  set -l path (string split -n ' ' (__davit_path))
  set -l words (count $argv)
  test (count $path) -ge $words; and test "$path[1..$words]" = "$argv"
end

function __davit_first
  test -z (__davit_path)
end

function __davit_second
  test (__davit_path) = $argv[1]
end

complete -c davit -f
${first.map((word) => `complete -c davit -n __davit_first ${pair(word)}`).join('\n')}
${second.flatMap(([noun, verbs]) => verbs.map((word) => `complete -c davit -n '__davit_second ${noun}' ${pair(word)}`)).join('\n')}
${commands.flatMap(entry).join('\n')}
`;
}

function entry({ words, options, completes }: CompletedCommand): string[] {
  const at = `-n '__davit_at ${words}'`;
  const names =
    completes === 'file' ? `complete -c davit ${at} -F` : `complete -c davit ${at} -a '(__davit_names ${completes})'`;
  return [
    ...options.map(({ word, about }) => `complete -c davit ${at} -l ${word.slice(2)} -d '${quoted(about)}'`),
    ...(completes === undefined ? [] : [names]),
  ];
}

function pair({ word, about }: Word): string {
  return `-a ${word} -d '${quoted(about)}'`;
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
