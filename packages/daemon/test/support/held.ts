import { setImmediate } from 'node:timers/promises';

/** Number of turns of the event loop. Work that does not wait for an event needs far fewer turns. */
const TURNS = 2_000;

/**
 * Waits many turns of the event loop, so that the work can end.
 * @returns whether the work still waits for an event
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
