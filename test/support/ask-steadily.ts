import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, LiveApp } from './live-world.ts';

/** Between an answer and the next request: who asks without one takes the processors away from what is tried. */
const PAUSE_MS = 5;

/** Asks an app for its page again and again; what did not come as it should is in the answer of `stop`. */
export function askSteadily(app: LiveApp, right: (answer: Answer) => boolean) {
  const stopping = new AbortController();
  const wrong: string[] = [];
  let sent = 0;
  const asking = (async () => {
    while (!stopping.signal.aborted) {
      sent += 1;
      const answer = await app.get().catch((error: Error) => error);
      if (answer instanceof Error) wrong.push(answer.message);
      else if (!right(answer)) wrong.push(`${answer.status} ${answer.text}`);
      await delay(PAUSE_MS);
    }
  })();
  return {
    async stop(): Promise<{ sent: number; wrong: string[] }> {
      stopping.abort();
      await asking;
      return { sent, wrong };
    },
  };
}
