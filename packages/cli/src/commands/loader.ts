import type { Command } from '../declaration/command.ts';

/** Loads the file of one command. */
export type Loader = () => Promise<{ command: Command }>;
