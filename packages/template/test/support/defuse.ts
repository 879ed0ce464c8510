/**
 * Checks all bombs in this process. Prints a JSON object with the first diagnostic code and the duration in
 * milliseconds of each bomb, by its name.
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
