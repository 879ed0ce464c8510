import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, LiveApp } from './live-harness.ts';

/**
 * Pause in milliseconds between a response and the next request. Without a pause, the requests would use the processors
 * that the tested work needs.
 */
const PAUSE_MS = 5;

/** Requests the page of an app repeatedly. `stop` returns the responses that were wrong. */
export function requestSteadily(app: LiveApp, right: (answer: Answer) => boolean) {
  const stopping = new AbortController();
  const wrong: string[] = [];
  let sent = 0;
  const sending = (async () => {
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
      await sending;
      return { sent, wrong };
    },
  };
}
