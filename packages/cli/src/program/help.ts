import type { Command as Program } from 'commander';
import type { CommandSpec } from '../declaration/specs.ts';

/** Returns the examples of a command. The help shows the examples below the options. */
export function helpFor({ examples }: CommandSpec, _leaf: Program): string {
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, does }) => `  ${line.padEnd(width)}  ${does}`);
  return ['Examples:', ...lines].join('\n');
}

/** Returns the usage line of a command, with a hint about the option `--help`. */
export function lineUsage(program: Program): string {
  const help = program.createHelp();
  return `Usage: ${help.commandUsage(program)}   (more: ${nameOf(program)} --help)`;
}

function nameOf(program: Program): string {
  const names: string[] = [];
  for (let one: Program | null = program; one; one = one.parent) names.unshift(one.name());
  return names.join(' ');
}
