/**
 * Checks every bomb, one after the other, in a process of its own, and prints what each of them came to as JSON: name to
 * code of the first diagnostic, with milliseconds.
 */
import { checkTemplate } from '../../src/check.ts';
import { BOMBS } from './bombs.ts';

export interface Defused {
  code: string | undefined;
  ms: number;
}

const defused: Record<string, Defused> = {};
for (const [name, text] of Object.entries(BOMBS)) {
  const from = performance.now();
  const { diagnostics } = checkTemplate(text);
  defused[name] = { code: diagnostics[0]?.code, ms: performance.now() - from };
}
process.stdout.write(JSON.stringify({ defused, rssKb: process.resourceUsage().maxRSS }));
