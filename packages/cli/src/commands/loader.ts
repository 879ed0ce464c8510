import type { Command } from '../declaration/command.ts';

export type Loader = () => Promise<{ command: Command }>;
