/**
 * Checks every bomb, one after the other, in a process of its own, and prints what each of them came to as JSON: name to
 * code of the first diagnostic, with milliseconds of processor time.
 */
import { checkTemplate } from '../../check.ts';
import { BOMBS } from './bombs.ts';

export interface Defused {
  code: string | undefined;
  cpuMs: number;
}

const defused: Record<string, Defused> = {};
for (const [name, text] of Object.entries(BOMBS)) {
  const before = process.cpuUsage();
  const { diagnostics } = checkTemplate(text);
  const { user, system } = process.cpuUsage(before);
  defused[name] = { code: diagnostics[0]?.code, cpuMs: (user + system) / 1_000 };
}
process.stdout.write(JSON.stringify({ defused, rssKb: process.resourceUsage().maxRSS }));
