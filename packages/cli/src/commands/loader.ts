import type { Command } from '../command.ts';

/** Loads the file of one command. */
export type Loader = () => Promise<{ command: Command }>;
