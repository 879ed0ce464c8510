import { flagName } from '../declaration/flag-name.ts';
import { GLOBAL_OPTIONS } from '../declaration/global-options.ts';
import { NOUNS, SHORTCUTS } from '../declaration/nouns.ts';
import type { CommandSpec, OptionSpec } from '../declaration/specs.ts';
import { EXIT } from '../errors/exit.ts';
import { VARIABLES } from '../process/env.ts';

/**
 * Generates the CLI reference as a map from file name to Markdown text. One file is an index of all commands. Each
 * group of commands, such as `davit app`, has its own file.
 */
export function referencePages(commands: readonly CommandSpec[]): Record<string, string> {
  const tops = commands.filter(({ path }) => path.length === 1);
  const nouns = Object.entries(NOUNS).map(([noun, about]) => [
    `${noun}.md`,
    page(
      `davit ${noun}`,
      `${sentence(about)}`,
      commands.filter(({ path }) => path.length === 2 && path[0] === noun),
    ),
  ]);
  return {
    'README.md': overview(commands, tops),
    'davit.md': page('davit', 'General commands, such as `davit login` and `davit up`.', tops),
    ...Object.fromEntries(nouns),
  };
}

function overview(commands: readonly CommandSpec[], tops: readonly CommandSpec[]): string {
  const shortcuts = Object.entries(SHORTCUTS).map(([name, target]) => `| \`davit ${name}\` | \`davit ${target}\` |`);
  const nouns = Object.entries(NOUNS).map(([noun, about]) => {
    const verbs = commands.filter(({ path }) => path[0] === noun && path.length === 2).map(({ path }) => path[1]);
    return `| [\`${noun}\`](${noun}.md) | ${about} | ${verbs.join(', ')} |`;
  });
  const exits = Object.values(EXIT).map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  const variables = Object.entries(VARIABLES).map(([name, about]) => `| \`${name}\` | ${about} |`);
  return [
    '# davit, the command line',
    '[Use the command line](../../how-to/use-the-command-line.md) explains how to install and use the Davit CLI.',
    '## Commands',
    table(
      '| command | description |',
      tops.map(({ path, summary }) => `| [\`${path[0]}\`](davit.md#davit-${path[0]}) | ${cell(summary)} |`),
    ),
    'You can use these short names for some commands:',
    table('| shortcut | command |', shortcuts),
    '## Commands by resource',
    table('| resource | description | commands |', nouns),
    '## Global options',
    optionTable(GLOBAL_OPTIONS),
    '## Exit codes',
    table('| code | meaning |', exits),
    '`davit run`, `davit shell` and `davit database shell` return the exit code of the program that they run.',
    '## Environment variables',
    table('| variable | description |', variables),
    '',
  ].join('\n\n');
}

function page(title: string, about: string, commands: readonly CommandSpec[]): string {
  return [`# ${title}`, about, ...commands.flatMap(section), ''].join('\n\n');
}

function section(command: CommandSpec): string[] {
  const { path, summary, description, options, examples } = command;
  const args = Object.entries(command.arguments);
  return [
    `## davit ${path.join(' ')}`,
    `${summary}.`,
    ...(description === undefined ? [] : [description]),
    fenced(usageOf(command)),
    ...(args.length === 0
      ? []
      : [
          table(
            '| argument | description |',
            args.map(([name, spec]) => `| \`${name}\` | ${cell(spec.description)} |`),
          ),
        ]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
    fenced(examples.map(({ line, does }) => `# ${does}\n${line}`).join('\n')),
  ];
}

function usageOf({ path, arguments: args, options }: CommandSpec): string {
  const words = Object.entries(args).map(([name, { optional, variadic }]) => {
    const shown = variadic ? `${name}...` : name;
    return optional ? `[${shown}]` : `<${shown}>`;
  });
  return ['davit', ...path, ...(Object.keys(options).length > 0 ? ['[options]'] : []), ...words].join(' ');
}

function optionTable(options: Record<string, OptionSpec>): string {
  const rows = Object.entries(options).map(([name, { short, value, description, choices, repeatable }]) => {
    const flag = `${short ? `-${short}, ` : ''}--${flagName(name)}${value ? ` <${value}>` : ''}`;
    const more = [
      ...(choices ? [`(choices: ${choices.join(', ')})`] : []),
      ...(repeatable ? ['(can be repeated)'] : []),
    ];
    return `| \`${flag}\` | ${cell([description, ...more].join(' '))} |`;
  });
  return table('| option | description |', rows);
}

function table(header: string, rows: readonly string[]): string {
  return [header, header.replaceAll(/[^|]+/g, '---'), ...rows].join('\n');
}

function fenced(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
