import { setImmediate } from 'node:timers/promises';

/** Far more than anything takes here that waits for nothing. */
const TURNS = 2_000;

/**
 * Gives work the time to end, in turns of the event loop and not by a clock.
 * @returns whether it waits for something that does not come
 */
export async function isHeld(work: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  for (let turn = 0; turn < TURNS && !isOver; turn++) await setImmediate();
  return !isOver;
}
