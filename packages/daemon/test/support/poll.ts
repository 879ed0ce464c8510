import assert from 'node:assert/strict';

/** Asks again and again until there is an answer that is not null. @throws AssertionError naming what was waited for */
export async function poll<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + 15_000;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    assert.ok(performance.now() < end, `waited in vain for this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until something holds. @throws AssertionError naming what was waited for */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await poll(what, async () => ((await holds()) ? true : null));
}
