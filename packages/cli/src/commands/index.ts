import type { Command } from '../command.ts';

/** Loads the file of one command. */
export type Loader = () => Promise<{ command: Command }>;

/** What the first word may be, when another one follows. */
export const NOUNS: Record<string, string> = {
  project: 'projects',
};

/** Every command by its words. Each is a file of its own, loaded when it is the one that is meant. */
export const COMMANDS: Record<string, Loader> = {
  'project list': () => import('./project/list.ts'),
};

/** What is typed most often goes without its noun. */
export const SHORTCUTS: Record<string, string> = {};

export function isCommand(path: readonly string[]): boolean {
  const name = path.join(' ');
  return name in COMMANDS || name in SHORTCUTS;
}
